/**
 * Derives the history of feature gates from the Go sources of Kubernetes, one directory per release:
 *
 *     npx tsx scripts/derive-feature-gates.ts 1.31=DIRECTORY… 1.32=DIRECTORY…
 *
 * A directory has the Go files that define gates: `pkg/features` of k8s.io/kubernetes, k8s.io/apiserver
 * and k8s.io/apiextensions-apiserver, `features` of k8s.io/client-go, `logs/api/v1` and
 * `metrics/features` of k8s.io/component-base. A release may be given several times. The result is
 * `facts/feature-gate-history.json`: by gate the releases in which its stage, default or lock
 * changes, oldest first. An entry without a stage is the first release without the gate. Gates
 * depend on other gates since 1.35.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minorOf } from '../src/engine/release-tables/minor'

type State = [stage: string, isOn: boolean, locked?: 'locked']
type Entry<T extends unknown[]> = [release: string, ...T] | [release: string]

const NAME = /^\t(\w+)\s+(?:featuregate\.)?Feature = "(\w+)"/gm
const VERSIONED = /^(\t+)(?:\w+\.)?(\w+):\s+\{\n((?:\1\t.*\n)+?)\1\}/gm
const SPEC = /\{Version: version\.(?:MustParse\("([\d.]+)"\)|MajorMinor\((\d+), (\d+)\)), (.*?)\}/g
/** The form of gates without versions, until 1.31. */
const PLAIN = /^\t+(?:\w+\.)?(\w+):\s+\{(Default: .*?)\}/gm
const DEPENDENCY = /^\t(?:\w+\.)?(\w+):\s+\{(?!Default:)([\w., ()]+)\}/gm
const STAGES: Readonly<Record<string, string>> = {
  GA: 'GA',
  Beta: 'BETA',
  Alpha: 'ALPHA',
  Deprecated: 'DEPRECATED',
}

const directories = new Map<string, string[]>()
for (const argument of process.argv.slice(2)) {
  const [release = '', directory = ''] = argument.split('=')
  directories.set(release, [...(directories.get(release) ?? []), directory])
}
const releases = [...directories.keys()].sort((a, b) => minorOf(a) - minorOf(b))

function sourcesOf(release: string): string[] {
  return (directories.get(release) ?? []).flatMap((directory) => {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
      .map((name) => readFileSync(join(directory, name), 'utf8'))
  })
}

const names = new Map<string, string>()
for (const release of releases)
  for (const source of sourcesOf(release))
    for (const [, constant = '', name = ''] of source.matchAll(NAME)) names.set(constant, name)

const nameOf = (constant: string): string => names.get(constant) ?? constant

function stateOf(spec: string): State | undefined {
  const stage = STAGES[/PreRelease: (?:featuregate\.)?(\w+)/.exec(spec)?.[1] ?? '']
  if (stage === undefined) return undefined
  const isOn = /(?<!To)Default: (?:true|contextualLoggingDefault)/.test(spec)
  return spec.includes('LockToDefault: true') ? [stage, isOn, 'locked'] : [stage, isOn]
}

/** Whether a spec applies while servers of the previous release may be in the cluster. */
function isCompatible(spec: string, release: string): boolean {
  const [, needed] = /MinCompatibilityVersion: version\.MustParse\("([\d.]+)"\)/.exec(spec) ?? []
  return needed === undefined || minorOf(needed) < minorOf(release)
}

function gatesIn(source: string, release: string): [name: string, state: State][] {
  const plain = [...source.matchAll(PLAIN)].map(([, name = '', spec = '']) => [name, spec])
  const versioned = [...source.matchAll(VERSIONED)].map(([, , name = '', specs = '']) => {
    const valid = [...specs.matchAll(SPEC)].filter(
      ([, text, , minor, spec = '']) =>
        minorOf(text ?? `1.${minor}`) <= minorOf(release) && isCompatible(spec, release),
    )
    return [name, valid.at(-1)?.[4] ?? '']
  })
  return [...plain, ...versioned].flatMap(([constant = '', spec = '']) => {
    const state = stateOf(spec)
    return state === undefined ? [] : [[nameOf(constant), state]]
  })
}

function dependenciesIn(source: string): [name: string, needed: string[]][] {
  const [, table = ''] = /FeatureGateDependencies = [^\n]*\n([\s\S]*?)\n\}/.exec(source) ?? []
  return [...table.matchAll(DEPENDENCY)].map(([, constant = '', needed = '']) => [
    nameOf(constant),
    needed.split(', ').map((text) => nameOf(/(\w+)\)?$/.exec(text)?.[1] ?? text)),
  ])
}

/** @param read what each release has, by gate */
function historyOf<T extends unknown[]>(
  read: (source: string, release: string) => [name: string, value: T][],
): Record<string, Entry<T>[]> {
  const history = new Map<string, Entry<T>[]>()
  for (const release of releases) {
    const here = new Map(sourcesOf(release).flatMap((source) => read(source, release)))
    for (const name of new Set([...history.keys(), ...here.keys()])) {
      const entries = history.get(name) ?? []
      const value = here.get(name)
      const before = entries.at(-1)?.slice(1) ?? []
      if (JSON.stringify(before) === JSON.stringify(value ?? [])) continue
      entries.push(value === undefined ? [release] : [release, ...value])
      history.set(name, entries)
    }
  }
  return Object.fromEntries([...history].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const table = (history: object) =>
  `{\n${Object.entries(history)
    .map(([name, entries]) => `  ${JSON.stringify(name)}: ${JSON.stringify(entries)}`)
    .join(',\n')}\n}`
writeFileSync(
  new URL('../facts/feature-gate-history.json', import.meta.url),
  `{\n"gates": ${table(historyOf(gatesIn))},\n"dependencies": ${table(historyOf(dependenciesIn))}\n}\n`,
)
