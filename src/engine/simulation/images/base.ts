/** Files of minimal Linux images (busybox, alpine). */

const DIRECTORIES = ['bin', 'dev', 'etc', 'home', 'proc', 'root', 'sys', 'usr', 'var']

/** Directories that a container runtime or every image provides. */
export const directories: Readonly<Record<string, string>> = Object.fromEntries(
  [...DIRECTORIES.map((name) => `/${name}/`), '/tmp/', '/usr/bin/', '/usr/sbin/', '/var/tmp/'].map(
    (path) => [path, ''],
  ),
)

const USERS: readonly (readonly [name: string, id: number, home: string, shell: string])[] = [
  ['root', 0, '/root', '/bin/sh'],
  ['daemon', 1, '/usr/sbin', '/bin/false'],
  ['bin', 2, '/bin', '/bin/false'],
  ['sys', 3, '/dev', '/bin/false'],
  ['www-data', 33, '/var/www', '/bin/false'],
  ['nobody', 65_534, '/home', '/bin/false'],
]

export const accounts: Readonly<Record<string, string>> = {
  '/etc/passwd': USERS.map(
    ([name, id, home, shell]) => `${name}:x:${id}:${id}:${name}:${home}:${shell}\n`,
  ).join(''),
  '/etc/group': USERS.map(([name, id]) => `${name}:x:${id}:\n`).join(''),
}

/** Applets of busybox that the simulation runs. */
const APPLETS =
  '[ ash awk base64 basename cat chmod chown cp cut date dd df diff dirname du echo egrep env expr ' +
  'false fgrep find free grep head hexdump hostname id ip kill ln ls md5sum mkdir mktemp mount mv nc ' +
  'nl nslookup od paste ping printenv printf ps pwd readlink realpath rev rm rmdir sed seq sh ' +
  'sha256sum sleep sort stat sync sysctl tac tail tar tee test timeout touch tr true tty uname uniq uptime ' +
  'wc wget which whoami xargs yes'

export const busyboxPrograms: readonly string[] = APPLETS.split(' ').map((name) => `/bin/${name}`)
