import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackage } from './install-package'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export const NO_CHROMIUM = `No Chromium was found, and the page's tests need one.
Install your system's package (Debian: apt-get install chromium), or name the program in CHROMIUM_PATH.`

/** CHROMIUM_PATH, or the first usual name on PATH. */
export function findChromium(
  environment: Record<string, string | undefined> = process.env,
): string | undefined {
  const named = environment.CHROMIUM_PATH
  if (named) return isProgram(named) ? named : undefined
  const folders = (environment.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

/**
 * Installs Debian's package if it is missing, CHROMIUM_PATH is unset and the process may install.
 * @throws Error with instructions
 */
export function requireChromium(): string {
  const found =
    findChromium() ??
    (!process.env.CHROMIUM_PATH && installPackage('chromium') ? findChromium() : undefined)
  if (found === undefined) throw new Error(NO_CHROMIUM)
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
