/** `ls`, as in busybox. */
// Letters of options. cspell:ignore Alhd Rpn rwxrwxrwx
import type { Builtin } from './command'
import type { Entry } from './entries'
import { permissionText } from './permissions'
import { OutsideSubset } from './words'

const LONG_TIME = 'Jan  1 00:00'

/** The mode as `ls -l` shows it: `-rw-r--r--`. */
export function modeText(entry: Entry): string {
  const kind = { file: '-', directory: 'd', link: 'l' }[entry.kind]
  const mode = entry.kind === 'link' ? 0o777 : entry.mode
  return kind + permissionText(mode)
}

/** The name of a user or group; other ids than root have none in the images of the simulation. */
export const ownerName = (id = 0): string => (id === 0 ? 'root' : String(id))

export const sizeOf = (entry: Entry): number =>
  entry.kind === 'file'
    ? new TextEncoder().encode(entry.text).length
    : entry.kind === 'link'
      ? entry.target.length
      : 4096

export const list: Builtin = (args, { files }) => {
  const options = args.filter((word) => /^-./.test(word)).join('')
  if (/[^-1aAlhdRpnL]/.test(options) || options.includes('R')) throw new OutsideSubset('ls')
  const given = args.filter((word) => !/^-./.test(word))
  const paths = given.length > 0 ? given : ['.']
  const isLong = /[ln]/.test(options)
  const error: string[] = []
  const shown = (name: string, path: string): string => {
    const entry = options.includes('L') ? files.entryAt(path) : files.ownEntryAt(path)
    if (!isLong || entry === undefined) return `${name}\n`
    const target = entry.kind === 'link' ? ` -> ${entry.target}` : ''
    const size = String(sizeOf(entry)).padStart(9)
    const owner = options.includes('n')
      ? `${entry.uid ?? 0}`.padEnd(8) + ` ${entry.gid ?? 0}`.padEnd(9)
      : ownerName(entry.uid).padEnd(8) + ` ${ownerName(entry.gid)}`.padEnd(9)
    return `${modeText(entry)}    1 ${owner} ${size} ${LONG_TIME} ${name}${target}\n`
  }
  const [single, nested]: [string[], string[]] = [[], []]
  for (const path of paths) {
    const kind = files.there(path)
    if (kind === undefined) error.push(`ls: ${path}: No such file or directory\n`)
    else if (kind === 'file' || options.includes('d')) single.push(shown(path, path))
    else {
      const names = files.list(path).filter((name) => /[aA]/.test(options) || !name.startsWith('.'))
      const dots = options.includes('a') ? ['.', '..'] : []
      const lines = [...dots, ...names].map((name) => shown(name, `${path}/${name}`))
      const title = paths.length > 1 ? `${path}:\n` : ''
      const total = isLong ? `total ${4 * names.length}\n` : ''
      nested.push(title + total + lines.join(''))
    }
  }
  const parts = [single.join(''), ...nested].filter((text) => text !== '')
  return { output: parts.join('\n'), error: error.join(''), code: error.length > 0 ? 1 : 0 }
}
