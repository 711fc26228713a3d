/** `tar` with the archives of `kubectl cp` (POSIX.1-2017, "pax - ustar Interchange Format"). */
// cspell:ignore ustar cxtfmvpo
import { goTrimRight } from '../../../schema/go-text'
import type { Builtin, Outcome, ScriptState } from '../command'
import { FileError } from '../entries'
import { clean } from '../paths'
import { OutsideSubset, WithoutInput } from '../words'

const BLOCK = 512
const CHECKSUM = { at: 148, length: 8 }

interface Member {
  name: string
  kind: 'file' | 'directory' | 'link'
  mode: number
  text: string
  target: string
}

const octal = (value: number, length: number): string =>
  `${value.toString(8).padStart(length - 1, '0')}\0`

const field = (text: string, length: number): string => text.slice(0, length).padEnd(length, '\0')

const KINDS = { file: '0', directory: '5', link: '2' } as const

/** @param seconds since the epoch @throws OutsideSubset for a name that is too long */
function encoded({ name, kind, mode, text, target }: Member, seconds: number): string {
  const bytes = new TextEncoder().encode(text).length
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of members are ASCII here
  if (/[^\x00-\x7f]/.test(name + target) || name.length > 100 || target.length > 100)
    throw new OutsideSubset('tar')
  const parts = (checksum: string) =>
    [
      field(name, 100),
      octal(mode, 8),
      octal(0, 8),
      octal(0, 8),
      octal(bytes, 12),
      octal(seconds, 12),
      checksum,
      KINDS[kind],
      field(target, 100),
      'ustar\0' + '00',
      field('root', 32),
      field('root', 32),
      octal(0, 8),
      octal(0, 8),
    ]
      .join('')
      .padEnd(BLOCK, '\0')
  const sum = [...parts(' '.repeat(CHECKSUM.length))].reduce(
    (total, character) => total + character.charCodeAt(0),
    0,
  )
  const rest = bytes % BLOCK === 0 ? 0 : BLOCK - (bytes % BLOCK)
  return parts(`${sum.toString(8).padStart(6, '0')}\0 `) + text + '\0'.repeat(rest)
}

/** @throws OutsideSubset */
function create(paths: readonly string[], state: ScriptState): Outcome {
  const { files } = state
  const parts: string[] = []
  const errors = new Set<string>()
  const seconds = Math.floor((state.around.now ?? 0) / 1000 + state.time)
  const add = (path: string, name: string): void => {
    state.step()
    const entry = files.ownEntryAt(path)
    if (entry === undefined) {
      errors.add(`tar: ${path}: No such file or directory\n`)
      return
    }
    const isDirectory = entry.kind === 'directory'
    const text = entry.kind === 'file' ? (files.read(path) ?? '') : ''
    const member: Member = {
      name: isDirectory ? `${name}/` : name,
      kind: entry.kind,
      mode: entry.kind === 'link' ? 0o777 : entry.mode,
      text,
      target: entry.kind === 'link' ? entry.target : '',
    }
    parts.push(encoded(member, seconds))
    if (isDirectory)
      for (const child of files.list(path)) add(`${path}/${child}`, `${name}/${child}`)
  }
  for (const path of paths) {
    if (path.startsWith('/')) errors.add("tar: removing leading '/' from member names\n")
    add(path, goTrimRight(path.replace(/^\/+/, ''), '/') || '.')
  }
  const isWhole = ![...errors].some((error) => error.includes('No such'))
  return {
    output: parts.join('') + '\0'.repeat(2 * BLOCK),
    error: [...errors].join(''),
    code: isWhole ? 0 : 1,
  }
}

const NOT_TEXT = 'tar: archives with files that are not UTF-8 text are not simulated\n'

/** @returns undefined for an archive that cannot be read */
function membersIn(archive: string): Member[] | undefined {
  const bytes = new TextEncoder().encode(archive)
  const decode = (start: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(start, start + length))
  const members: Member[] = []
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const header = at
    const text = (start: number, length: number) =>
      decode(header + start, length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12), 8)
    if (text(257, 5) !== 'ustar' || !(size >= 0) || at + BLOCK + size > bytes.length)
      return undefined
    const flag = text(156, 1)
    const content = decode(at + BLOCK, size)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    if (flag === 'g') continue
    if (flag === 'x') longName = /^\d+ path=(.*)$/m.exec(content)?.[1]
    else if (flag === 'L') longName = content.replace(/\0.*$/s, '')
    else {
      const prefix = text(345, 155)
      const name = longName ?? (prefix ? `${prefix}/${text(0, 100)}` : text(0, 100))
      const mode = Number.parseInt(text(100, 8), 8) & 0o777
      const kind = FLAGS.get(flag) ?? 'file'
      members.push({ name, kind, mode, text: content, target: text(157, 100) })
      longName = undefined
    }
  }
  return members
}

const FLAGS: ReadonlyMap<string, Member['kind']> = new Map([
  ['5', 'directory'],
  ['2', 'link'],
])

function extract(archive: string, directory: string, state: ScriptState): Outcome {
  if (archive.includes('\ufffd')) return { error: NOT_TEXT, code: 1 }
  state.step(1 + Math.floor(archive.length / 1000))
  const members = membersIn(archive)
  if (members === undefined) return { error: 'tar: invalid tar magic\n', code: 1 }
  const { files } = state
  if (files.there(directory) !== 'directory')
    return {
      error: `tar: can't change directory to '${directory}': No such file or directory\n`,
      code: 1,
    }
  for (const { name, kind, mode, text, target } of members) {
    state.step()
    const path = clean(`${files.absolute(directory)}/${name}`)
    // Members stay below the directory.
    if (name.split('/').includes('..')) continue
    try {
      if (kind === 'directory') files.makeDirectory(path, true)
      else {
        files.makeDirectory(path.replace(/\/[^/]*$/, '') || '/', true)
        if (kind === 'link') files.link(target, path)
        else {
          state.write(path, text, false)
          files.changeMode(path, mode)
        }
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return { error: `tar: can't open '${name}': ${error.reason}\n`, code: 1 }
    }
  }
  state.changed()
  return {}
}

/** `tar cf - PATH ...`, `tar xf - -C DIRECTORY` and `tar tf -`, also with files in place of `-`. */
export const tar: Builtin = (args, state) => {
  let letters = ''
  let file = '-'
  let directory = '.'
  const paths: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '-C') directory = args[++at] ?? '.'
    else if (/^--(?:no-)?same-(?:permissions|owner)$/.test(word)) continue
    else if (at === 0 || /^-[a-z]/.test(word)) {
      letters += word.replace(/^-/, '')
      if (word.endsWith('f')) file = args[++at] ?? '-'
    } else paths.push(word)
  }
  const action = /[cxt]/.exec(letters)?.[0]
  if (action === undefined || /[^cxtfmvpo]/.test(letters)) throw new OutsideSubset('tar')
  if (action === 'c') {
    const before = state.files.directory
    state.files.directory = state.files.absolute(directory)
    const { output = '', ...outcome } = create(paths, state)
    state.files.directory = before
    if (file === '-') return { output, ...outcome }
    state.write(file, output, false)
    return outcome
  }
  const archive = file === '-' ? state.readInput() : state.files.read(file)
  if (archive === undefined) {
    if (file === '-') throw new WithoutInput('tar')
    return { error: `tar: can't open '${file}': No such file or directory\n`, code: 1 }
  }
  if (action === 'x') return extract(archive, directory, state)
  const members = membersIn(archive)
  if (members === undefined) return { error: 'tar: invalid tar magic\n', code: 1 }
  return { output: members.map(({ name }) => `${name}\n`).join('') }
}
