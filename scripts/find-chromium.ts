/** Which Chromium the page's tests drive. */
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export const NO_CHROMIUM = `No Chromium was found, and the page's tests need one.
Install your system's package (Debian: apt-get install chromium), or name the program in CHROMIUM_PATH.`

/** The program named in CHROMIUM_PATH, else the first of the usual names on PATH; undefined if there is none. */
export function findChromium(environment: Record<string, string | undefined> = process.env): string | undefined {
  const named = environment.CHROMIUM_PATH
  if (named) return isProgram(named) ? named : undefined
  const folders = (environment.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

/** As findChromium, but installs Debian's package first when there is none and the process may. @throws Error saying what to do */
export function requireChromium(): string {
  const found = findChromium() ?? (installChromium() ? findChromium() : undefined)
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

/** Debian and its kin, as root, and only if the user named no program. @returns whether the package was installed */
function installChromium(): boolean {
  const allowed = process.getuid?.() === 0 && !process.env.CHROMIUM_PATH && spawnSync('apt-get', ['--version']).status === 0
  if (!allowed) return false
  console.log('No Chromium found: installing the package chromium with apt-get.')
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  try {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
    return true
  } catch {
    return false
  }
}
