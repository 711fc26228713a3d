/**
 * Runs all checks, as many at a time as there are cores. The last line is `N passed, N failed`.
 *
 *     npm test                        everything
 *     npm test -- --only types,lint   some steps
 *     npm run test:extended           everything, with the tests that are tagged `extended`
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { requireChromium } from './find-chromium'
import { NO_ETCD, provideEtcd } from './find-etcd'
import { NO_FIREFOX, provideFirefox } from './find-firefox'
import { type Job, runOnCores } from './run-on-cores'

const { values } = parseArgs({
  options: { only: { type: 'string' }, extended: { type: 'boolean', default: false } },
})

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = `${root}.cache/test-reports`

interface Counts {
  passed: number
  failed: number
  /** With the reason, for the summary. */
  notRun: string[]
  /** With messages, so that the end of the log suffices. */
  failures?: string[]
}

interface Step extends Job {
  name: string
  what: string
  /** An error fails the whole step. */
  run(print: Print): Promise<Counts>
}

/** Receives a step's output. */
type Print = (text: string) => void

/** What fails most often and ends soonest is first; else the longest are, which leave no core idle. */
const STEPS: Step[] = [
  { name: 'types', what: 'types', cores: 1, run: (print) => check(print, 'tsc', ['-p', '.']) },
  {
    name: 'lint',
    what: 'format and lint',
    cores: 1,
    run: (print) => check(print, 'biome', ['ci', '.']),
  },
  {
    name: 'imports',
    what: 'directions of imports',
    cores: 1,
    run: (print) => check(print, 'tsx', ['scripts/check-imports.ts']),
  },
  {
    name: 'words',
    what: 'words of the glossary',
    cores: 1,
    run: (print) => check(print, 'tsx', ['scripts/check-words.ts']),
  },
  {
    name: 'spelling',
    what: 'spelling',
    cores: 1,
    run: (print) => check(print, 'cspell', SPELLING),
  },
  {
    name: 'records',
    what: 'names from outside in records',
    cores: 1,
    run: (print) => check(print, 'tsx', ['scripts/check-record-access.ts']),
  },
  {
    name: 'unused',
    what: 'files, exports and dependencies that nothing uses',
    cores: 1,
    run: (print) => check(print, 'knip', ['--no-progress', '--exclude', 'types,unlisted']),
  },
  {
    name: 'stories',
    what: 'the page in a real browser',
    cores: 2,
    run: (print) => stories(print),
  },
  {
    name: 'unit',
    what: 'unit and property tests',
    cores: 2,
    run: (print) => vitest(print, 'unit'),
  },
  // These wait much.
  {
    name: 'etcd',
    what: 'several hosts over one etcd',
    cores: 0.5,
    run: (print) => withEtcd(print),
  },
  {
    name: 'client',
    what: 'real clients against the Node host',
    cores: 1,
    run: (print) => vitest(print, 'client'),
  },
  { name: 'replay', what: 'recorded exchanges', cores: 1, run: (print) => replay(print) },
  {
    name: 'firefox',
    what: 'the main stories in Firefox',
    cores: 1,
    run: (print) => firefox(print),
  },
]

/** With the cache, a second run takes a few seconds. */
const SPELLING = ['lint', '--no-progress', '--cache', '--cache-location', '.cache/cspell']

/** Runs a program of the project as one check. */
async function check(print: Print, program: string, args: string[]): Promise<Counts> {
  const { code } = await run(print, program, args)
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, notRun: [] }
}

async function vitest(print: Print, project: string): Promise<Counts> {
  const report = `${reports}/${project}.json`
  const { code } = await run(print, 'vitest', [
    'run',
    // The default loader prints a line per import.
    '--configLoader=runner',
    '--project',
    project,
    ...(values.extended ? [] : ['--tags-filter=!extended']),
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  return countsOf(report, code)
}

async function withEtcd(print: Print): Promise<Counts> {
  return provideEtcd()
    ? vitest(print, 'etcd')
    : { passed: 0, failed: 0, notRun: [`not run: ${NO_ETCD}`] }
}

let pageBuild: Promise<void> | undefined

/** Builds the page once for both browsers, in a process of its own: a build changes NODE_ENV. */
function pageBuilt(print: Print): Promise<void> {
  pageBuild ??= run(print, 'tsx', ['scripts/build-page.ts']).then(({ code }) => {
    if (code !== 0) throw new Error(`the build of the page ended with code ${code}`)
    process.env.PAGE_BUILT = '1'
  })
  return pageBuild
}

async function stories(print: Print): Promise<Counts> {
  process.env.CHROMIUM_PATH = requireChromium()
  await pageBuilt(print)
  return vitest(print, 'stories')
}

/** If Firefox is installed or can be. */
async function firefox(print: Print): Promise<Counts> {
  if (provideFirefox() === undefined) return { passed: 0, failed: 0, notRun: [NO_FIREFOX] }
  await pageBuilt(print)
  return vitest(print, 'firefox')
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; message: string; assertionResults: VitestTest[] }[]
}

interface VitestTest {
  title: string
  fullName: string
  status: string
  failureMessages: string[]
}

/** Lines printed for a failure: its message and position. */
const LINES_OF_A_FAILURE = 8

function failureOf(name: string, message: string): string[] {
  const words = message
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(node_modules|<anonymous>|node:)/.test(line))
  return [name, ...words.slice(0, LINES_OF_A_FAILURE).map((line) => `  ${line.replace(root, '')}`)]
}

/** A test file that failed to load is one failure. */
function countsOf(file: string, code: number): Counts {
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const skipped = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed'),
  )
  const failures = [
    ...brokenFiles.flatMap(({ name, message }) => failureOf(name.replace(root, ''), message)),
    ...report.testResults.flatMap(({ assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .flatMap(({ fullName, failureMessages }) =>
          failureOf(fullName, failureMessages.join('\n')),
        ),
    ),
  ]
  const failed = report.numFailedTests + brokenFiles.length
  return {
    passed: report.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    notRun: skipped.map(({ title }) => title),
    failures,
  }
}

async function replay(print: Print): Promise<Counts> {
  const { code, lines } = await run(print, 'tsx', ['tests/conformance/run.ts'])
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1) ?? '') ?? []
  if (passed === undefined || failed === undefined)
    throw new Error(`the replay ended with code ${code} and without a result`)
  return {
    passed: Number(passed),
    failed: code !== 0 && failed === '0' ? 1 : Number(failed),
    notRun: lines.filter((line) => line.includes('not run:')),
  }
}

/**
 * Runs a program of node_modules.
 * @returns its exit code and output lines
 */
function run(
  print: Print,
  program: string,
  args: string[],
): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve, reject) => {
    const child = spawn(`${root}node_modules/.bin/${program}`, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      print(String(chunk))
    })
    child.stderr.on('data', (chunk: Buffer) => print(String(chunk)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, lines: output.trimEnd().split('\n') }))
  })
}

async function outcome(step: Step, print: Print): Promise<Counts> {
  try {
    return await step.run(print)
  } catch (error) {
    print(`${error instanceof Error ? error.message : error}\n`)
    return { passed: 0, failed: 1, notRun: [] }
  }
}

const wanted = values.only?.split(',')
const steps = STEPS.filter(({ name }) => wanted?.includes(name) ?? true)
if (steps.length === 0) {
  console.error(`no such step; there are: ${STEPS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const show: Print = (text) => process.stdout.write(text)
const total = { passed: 0, failed: 0 }

/** @returns the step's lines of the summary */
async function take(step: Step, isAlone: boolean): Promise<string[]> {
  const held: string[] = []
  const print: Print = isAlone ? show : (text) => held.push(text)
  print(`\n── ${step.what}\n`)
  if (!isAlone) show(`… ${step.what}\n`)
  const started = performance.now()
  const { passed, failed, notRun, failures = [] } = await outcome(step, print)
  for (const text of held) show(text)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  total.passed += passed
  total.failed += failed
  const counts = `${String(passed).padStart(6)} passed ${String(failed).padStart(5)} failed ${seconds.padStart(7)} s`
  const head = `${failed === 0 ? 'ok    ' : 'FAILED'} ${step.what.padEnd(36)} ${counts}`
  return [head, ...[...failures, ...notRun].map((what) => `       ${what}`)]
}

const summaries = new Map<Step, string[]>()
await runOnCores(steps, Math.max(2, availableParallelism()), async (step) => {
  summaries.set(step, await take(step, steps.length === 1))
})
const summary = steps.flatMap((step) => summaries.get(step) ?? [])
console.log(`\n${summary.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
