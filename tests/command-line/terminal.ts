/** A terminal and a directory for tests of commands. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Command } from '../../src/command-line/command'
import { runCommand } from '../../src/command-line/run'

/** @param files path in the directory to content @returns the directory, removed after the test */
export function directoryWith(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'kubetab-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  return directory
}

export async function run(command: Command, args: readonly string[], input = '') {
  let [output, errors] = ['', '']
  const status = await runCommand(command, args, {
    write: (text) => {
      output += text
    },
    writeError: (text) => {
      errors += text
    },
    readInput: () => input,
  })
  return { status, output, errors }
}
