/** etcd for tests with several hosts. */
import { spawnSync } from 'node:child_process'
import { installPackage } from './install-package'

export const NO_ETCD = 'etcd is not installed (Debian: apt-get install etcd-server)'

export const hasEtcd = (): boolean =>
  spawnSync('etcd', ['--version'], { stdio: 'ignore' }).status === 0

/** Installs Debian's package if it is missing and the process may install. */
export function provideEtcd(): boolean {
  return hasEtcd() || (installPackage('etcd-server') && hasEtcd())
}
