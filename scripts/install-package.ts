/** Installs Debian packages for tests and measurements. */
import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Needs root. Messages go to standard error: callers may print a table.
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
