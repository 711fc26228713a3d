/** Which Firefox the second browser's run drives. Nothing is installed for it: where there is none, the run is left out and said so. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['firefox-esr', 'firefox']

export const NO_FIREFOX = 'not run: no Firefox (Debian: apt-get install firefox-esr, or name the program in FIREFOX_PATH)'

/** The program named in FIREFOX_PATH, else the first of the usual names on PATH; undefined if there is none. */
export function findFirefox(environment: Record<string, string | undefined> = process.env): string | undefined {
  const named = environment.FIREFOX_PATH
  const folders = (environment.PATH ?? '').split(delimiter)
  return (named ? [named] : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
