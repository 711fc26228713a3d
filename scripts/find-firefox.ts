/** Which Firefox the second browser's run drives. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackage } from './install-package'

const NAMES = ['firefox-esr', 'firefox']

export const NO_FIREFOX =
  'not run: no Firefox (Debian: apt-get install firefox-esr, or name the program in FIREFOX_PATH)'

/** The program named in FIREFOX_PATH, else the first of the usual names on PATH; undefined if there is none. */
export function findFirefox(
  environment: Record<string, string | undefined> = process.env,
): string | undefined {
  const named = environment.FIREFOX_PATH
  const folders = (environment.PATH ?? '').split(delimiter)
  return (
    named ? [named] : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  ).find(isProgram)
}

/** As findFirefox, but installs Debian's package first if there is none, the user named none and the process is allowed to. */
export function provideFirefox(): string | undefined {
  return (
    findFirefox() ??
    (!process.env.FIREFOX_PATH && installPackage('firefox-esr') ? findFirefox() : undefined)
  )
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
