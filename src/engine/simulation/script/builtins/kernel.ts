// cspell:ignore nonewprivs RTNETLINK
/** Commands that read or change what the kernel keeps: `sysctl`, `ip`, and a check of privileges. */
import type { Builtin } from '../command'
import { OutsideSubset } from '../words'

/** `sysctl NAME...`, from the files below `/proc/sys`. */
const sysctl: Builtin = (args, { files }) => {
  const plain = args.includes('-n')
  const names = args.filter((word) => word !== '-n')
  if (names.length === 0 || names.some((name) => name.startsWith('-') || name.includes('=')))
    throw new OutsideSubset('sysctl')
  const values = names.map((name) => {
    const text = files.read(`/proc/sys/${name.replaceAll('.', '/')}`)
    if (text === undefined) throw new OutsideSubset(name)
    return plain ? text : `${name} = ${text}`
  })
  return { output: values.join('') }
}

/** `ip`: only what containers without the capability NET_ADMIN are denied. */
const ip: Builtin = ([object = '', action = ''], { files: { identity } }) => {
  const changes = ['link', 'addr', 'address', 'route'].includes(object)
  if (!changes || !['add', 'del', 'set'].includes(action) || identity.isPrivileged)
    throw new OutsideSubset('ip')
  return { error: 'ip: RTNETLINK answers: Operation not permitted\n', code: 2 }
}

/** The program of the image `nonewprivs`, which belongs to root and has the set-user-ID bit. */
const checkPrivileges: Builtin = (_, { files: { identity } }) => ({
  output: `Effective uid: ${identity.noNewPrivileges ? identity.user : 0}\n`,
})

export const KERNEL_COMMANDS: readonly (readonly [string, Builtin])[] = [
  ['sysctl', sysctl],
  ['ip', ip],
  ['/nnp', checkPrivileges],
]
