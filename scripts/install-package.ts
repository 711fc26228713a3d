/**
 * Installs Debian packages of programs for tests and measurements, so that a new machine needs no
 * preparation.
 */
import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Installs a package with apt-get, which needs root. Messages go to standard error, because callers
 * may print a table.
 * @returns whether it was installed
 */
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
