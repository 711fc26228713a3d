import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  FileError,
  type Files,
  SimulatedClock,
  seededRandom,
} from '../../src/engine/core/environment'
import { startEngine } from '../../src/hosts/node/engine'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { TEST_RELEASE } from '../support/release'

/**
 * Recorded command lines that kube-apiserver rejects; `@FILE@` is a file, `@DIR@` the directory of
 * recordings.
 */
interface StartFailure {
  flags: string[]
  file?: string
  error: string
}

const FOLDER = fileURLToPath(new URL('../conformance/recordings-flags', import.meta.url))
const FILE = '/etc/authorization'
const filled = (text: string) => text.replaceAll('@FILE@', FILE).replaceAll('@DIR@', FOLDER)

const failures = readFileSync(`${FOLDER}/access-start-failures.jsonl`, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as StartFailure)

function filesWith(text: string | undefined): Files {
  return {
    read(path) {
      if (path === FILE && text !== undefined) return filled(text)
      if (path.startsWith(FOLDER)) return readFileSync(path, 'utf8')
      throw new FileError(path, 'no such file or directory')
    },
  }
}

async function rejection({ flags, file }: StartFailure): Promise<string> {
  const environment = {
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error() {} },
    files: filesWith(file),
  }
  const given = [`--release=${TEST_RELEASE}`, ...flags.map(filled)]
  const error: unknown = await startEngine(parseFlags(given), environment).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(FlagError)
  return (error as FlagError).message
}

describe('invalid authorization options stop the start', () => {
  it.each(
    failures.map((failure): [string, StartFailure] => [failure.error.slice(0, 120), failure]),
  )('%s', async (_, failure) => {
    expect(await rejection(failure)).toBe(filled(failure.error))
  })
})
