/** The etcd that several hosts share in tests and measurements. */
import { spawnSync } from 'node:child_process'
import { installPackage } from './install-package'

export const NO_ETCD = 'etcd is not installed (Debian: apt-get install etcd-server)'

export const hasEtcd = (): boolean =>
  spawnSync('etcd', ['--version'], { stdio: 'ignore' }).status === 0

/** As hasEtcd, but installs Debian's package first when there is none and the process may. */
export function provideEtcd(): boolean {
  return hasEtcd() || (installPackage('etcd-server') && hasEtcd())
}
