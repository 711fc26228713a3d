import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackage } from './install-package'

const NAMES = ['firefox-esr', 'firefox']

export const NO_FIREFOX =
  'not run: no Firefox (Debian: apt-get install firefox-esr, or name the program in FIREFOX_PATH)'

/** FIREFOX_PATH, or the first usual name on PATH. */
export function findFirefox(
  environment: Record<string, string | undefined> = process.env,
): string | undefined {
  const named = environment.FIREFOX_PATH
  const folders = (environment.PATH ?? '').split(delimiter)
  return (
    named ? [named] : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  ).find(isProgram)
}

/**
 * Installs Debian's package if it is missing, FIREFOX_PATH is unset and the process may install.
 */
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
