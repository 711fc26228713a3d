/** JUnit XML, which CI systems show as tests: a suite per file, a test case per manifest. */
import { nameOf } from '../../manifests/read'
import type { Checked, Finding } from '../findings'

interface TestCase {
  name: string
  findings: Finding[]
}

export function junitFormat(checked: Checked): string {
  const suites = suitesOf(checked)
  const all = [...suites.values()].flatMap((cases) => [...cases.values()])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kubetab check" ${countsOf(all)}>`,
    ...[...suites].map(([file, cases]) => suiteText(file, [...cases.values()])),
    '</testsuites>',
    '',
  ].join('\n')
}

/** Objects of the cluster have no file. */
const CLUSTER = 'cluster'

function suitesOf({
  manifests,
  findings,
  unreadable,
}: Checked): Map<string, Map<string, TestCase>> {
  const suites = new Map<string, Map<string, TestCase>>()
  const caseOf = (file: string, name: string): TestCase => {
    const cases = suites.get(file) ?? new Map<string, TestCase>()
    suites.set(file, cases)
    const found = cases.get(name) ?? { name, findings: [] }
    cases.set(name, found)
    return found
  }
  for (const { file, object } of manifests) caseOf(file, nameOf(object))
  for (const { file } of unreadable) caseOf(file, file)
  for (const finding of findings) {
    const file = finding.file ?? CLUSTER
    caseOf(file, finding.object === '' ? file : finding.object).findings.push(finding)
  }
  return suites
}

const isFailed = ({ findings }: TestCase): boolean =>
  findings.some(({ level }) => level === 'error')

function countsOf(cases: readonly TestCase[]): string {
  return `tests="${cases.length}" failures="${cases.filter(isFailed).length}"`
}

function suiteText(file: string, cases: readonly TestCase[]): string {
  return [
    `  <testsuite name="${escaped(file)}" ${countsOf(cases)}>`,
    ...cases.map((one) => caseText(file, one)),
    '  </testsuite>',
  ].join('\n')
}

function caseText(file: string, { name, findings }: TestCase): string {
  const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`
  if (findings.length === 0) return `${head}/>`
  return [
    `${head}>`,
    ...findings.map(({ level, rule, message, line }) => {
      const text = `${line === undefined ? '' : `line ${line}: `}${message}`
      return level === 'error'
        ? `      <failure type="${rule}" message="${escaped(message)}">${escaped(text)}</failure>`
        : `      <system-out>${escaped(`${level}: ${text}`)}</system-out>`
    }),
    '    </testcase>',
  ].join('\n')
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\n', '&#10;'],
])

/** XML 1.0 has no other control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\n]/g, (sign) => ENTITIES.get(sign) ?? sign)
}
