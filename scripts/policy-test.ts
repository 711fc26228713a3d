/**
 * Runs tests (kind PolicyTest) of admission policies: `npm run policy-test -- --help`. Each file or
 * directory is a separate test set.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemEnvironment } from '../src/hosts/node/system'
import { readTestSet, type TestFile } from '../src/policy-test/documents'
import { report, succeeded } from '../src/policy-test/report'
import { runTestSet } from '../src/policy-test/run'
import { TestSetError } from '../src/policy-test/test-set-error'

const STANDARD_INPUT = '-'

const USAGE = `Run the tests of admission policies on an API server in memory.

Each path is one test set: a YAML file, a directory of YAML files, or - for standard input. A set has
policies, bindings, stored objects, and one or more objects of kind PolicyTest.

Examples:
  # Run the tests of one file
  npm run policy-test -- policies/replicas.yaml

  # Run the tests of a file and of a directory, as two sets
  npm run policy-test -- policies/replicas.yaml policies/images/

Options:
    --help: Print this text.

Exit status:
    0  every test passed
    1  a test failed
    2  a set could not be read or run

Usage:
  npm run policy-test -- PATH...`

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
    if (results.length === 0)
      throw new TestSetError(
        'no object of kind PolicyTest found: add one, or pass the file that has it',
      )
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
  console.log(USAGE)
  process.exit(paths.length === 0 ? 2 : 0)
}
let status = 0
for (const path of paths) status = Math.max(status, await run(path))
process.exitCode = status
