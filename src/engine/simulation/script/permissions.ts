/** Users, groups and modes of files (POSIX.1-2017, 4.5 "File Access Permissions"). */
// cspell:ignore rwxr rwxrwxrwx dgrwxrwxrwx

/** The owner of a file; 0 is root, and the value of an absent member. */
export interface Owner {
  uid?: number
  gid?: number
}

/** The user that a program runs as. */
export interface Identity {
  user: number
  group: number
  /** Supplementary groups. */
  groups: readonly number[]
  isPrivileged?: boolean
  /** Whether programs that belong to root keep the user that starts them. */
  noNewPrivileges?: boolean
}

export const ROOT: Identity = { user: 0, group: 0, groups: [] }
/** New entries of a directory with this mode bit get its group. */
export const SET_GROUP = 0o2000
const STICKY = 0o1000

const BITS = { read: 4, write: 2, execute: 1 }

/** Whether the mode of an entry allows an access. Links and root have no limit. */
export function allows(
  { user, group, groups }: Identity,
  { uid = 0, gid = 0, ...entry }: Owner & { mode?: number },
  access: keyof typeof BITS,
): boolean {
  const { mode } = entry
  if (user === 0 || mode === undefined) return true
  const shift = user === uid ? 6 : gid === group || groups.includes(gid) ? 3 : 0
  return ((mode >> shift) & BITS[access]) !== 0
}

/** The mode as `ls -l` shows it, after the letter of the kind: `rwxr-x--t`. */
export function permissionText(mode: number): string {
  const letters = [...'rwxrwxrwx'].map((letter, index) => (mode & (0o400 >> index) ? letter : '-'))
  if (mode & SET_GROUP) letters[5] = letters[5] === 'x' ? 's' : 'S'
  if (mode & STICKY) letters[8] = letters[8] === 'x' ? 't' : 'T'
  return letters.join('')
}

/** The mode as Go prints it: `-rw-r--r--`, `dgrwxrwxrwx` (pkg.go.dev/io/fs, "FileMode"). */
export function goModeText(mode: number, isDirectory = false): string {
  const kind = `${isDirectory ? 'd' : ''}${mode & SET_GROUP ? 'g' : ''}${mode & STICKY ? 't' : ''}`
  return (kind || '-') + permissionText(mode & 0o777)
}
