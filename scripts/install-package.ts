/** Debian's packages of programs that tests and measurements drive: a new machine needs no preparation where the process may install. */
import { execFileSync, spawnSync } from 'node:child_process'

/** On Debian and its kin, as root. What it does goes to the errors: what it is done for may print a table. @returns whether it was installed */
export function installPackage(name: string): boolean {
  const allowed = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!allowed) return false
  console.error(`Installing the package ${name} with apt-get.`)
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  try {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options)
    return true
  } catch {
    return false
  }
}
