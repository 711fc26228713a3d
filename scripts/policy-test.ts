/**
 * Tries policies out without a cluster: reads documents from files, from the YAML files of folders, or from standard input (`-`),
 * runs the tests among them (kind PolicyTest) on a server in memory, and says what came out.
 *
 *   npm run policy-test -- policies/replicas.yaml policies/images/
 *
 * Each file is a set of its own, and so is each folder. Ends with 1 if a test fails, with 2 if a set cannot be run.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemEnvironment } from '../src/hosts/node/system'
import { readTestSet, type TestFile } from '../src/policy-test/documents'
import { report, succeeded } from '../src/policy-test/report'
import { runTestSet } from '../src/policy-test/run'
import { TestSetError } from '../src/policy-test/test-set-error'

const STANDARD_INPUT = '-'

function filesOf(path: string): TestFile[] {
  if (path === STANDARD_INPUT) return [{ name: 'standard input', text: readFileSync(0, 'utf8') }]
  const isFolder = statSync(path).isDirectory()
  const names = isFolder ? readdirSync(path).filter((name) => /\.ya?ml$/.test(name)) : ['']
  return names
    .sort()
    .map((name) => ({ name: join(path, name), text: readFileSync(join(path, name), 'utf8') }))
}

/** @returns the exit status */
async function run(path: string): Promise<0 | 1 | 2> {
  try {
    const set = readTestSet(filesOf(path))
    const results = await runTestSet(set, systemEnvironment)
    if (results.length === 0) throw new TestSetError('there is no PolicyTest in it')
    console.log(`${report(results)}\n`)
    return succeeded(results) ? 0 : 1
  } catch (error) {
    const isKnown = error instanceof TestSetError || (error instanceof Error && 'code' in error)
    if (!isKnown) throw error
    console.error(`${path}: ${error.message}`)
    return 2
  }
}

const paths = process.argv.slice(2)
if (paths.length === 0 || paths.includes('--help')) {
  console.log('npm run policy-test -- FILE|FOLDER|- …')
  process.exit(paths.length === 0 ? 2 : 0)
}
let status = 0
for (const path of paths) status = Math.max(status, await run(path))
process.exitCode = status
