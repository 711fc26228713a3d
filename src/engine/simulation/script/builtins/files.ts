/** Commands on files, as in busybox. */

// Letters of options. cspell:ignore Rafpv shak ugoa
import { entryOf } from '../../../core/object'
import type { Builtin, Outcome, ScriptState } from '../command'
import { holds } from '../conditions'
import { FileError } from '../entries'
import { list, modeText, ownerName, sizeOf } from '../listing'
import { optionsOf } from '../options'
import { matches } from '../patterns'
import { OutsideSubset } from '../words'

const MAXIMUM_FOUND = 2000
const NOT_FOUND = 'No such file or directory'

const test =
  (name: string, bracket: string, double: boolean): Builtin =>
  (args, { files }) => {
    if (bracket !== '' && args.at(-1) !== bracket)
      return { error: `${name}: missing ${bracket}\n`, code: 2 }
    const words = bracket === '' ? args : args.slice(0, -1)
    return { code: holds(words, double, files) ? 0 : 1 }
  }

/** Runs an operation for each path, and reports its errors. */
function each(
  name: string,
  paths: readonly string[],
  run: ScriptState,
  change: (path: string) => string | undefined,
): Outcome {
  const errors = paths.flatMap((path) => {
    run.step()
    try {
      const problem = change(path)
      return problem === undefined ? [] : [problem]
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return [`${name}: ${error.message}\n`]
    }
  })
  run.changed()
  return { error: errors.join(''), code: errors.length > 0 ? 1 : 0 }
}

const baseName = (path: string): string =>
  path
    .replace(/(?<=.)\/$/, '')
    .split('/')
    .at(-1) || '/'

/** Copies a file, or everything below a directory. */
function copy(run: ScriptState, from: string, to: string, recursive: boolean, depth = 0): void {
  const { files } = run
  run.step()
  const entry = files.entryAt(from)
  if (entry === undefined) throw new FileError(NOT_FOUND, from)
  if (entry.kind === 'file') {
    run.write(to, files.read(from) ?? '', false)
    if (entry.mode !== 0o644) files.changeMode(to, entry.mode)
    return
  }
  if (!recursive) throw new FileError('omitting directory', from)
  if (depth > 20) throw new OutsideSubset('cp')
  if (files.there(to) === undefined) files.makeDirectory(to)
  for (const name of files.list(from))
    copy(run, `${from}/${name}`, `${to}/${name}`, true, depth + 1)
}

const transfer =
  (name: 'cp' | 'mv'): Builtin =>
  (args, run) => {
    const options = optionsOf(args, 'rRafpv')
    const paths = [...options.operands]
    const target = paths.pop()
    if (target === undefined || paths.length === 0)
      return { error: `${name}: missing file operand\n`, code: 1 }
    const isInto = run.files.there(target) === 'directory'
    if (paths.length > 1 && !isInto)
      return { error: `${name}: ${target}: Not a directory\n`, code: 1 }
    const recursive = name === 'mv' || ['r', 'R', 'a'].some((letter) => options.has(letter))
    return each(name, paths, run, (path) => {
      if (run.files.there(path) === undefined)
        return name === 'mv'
          ? `mv: can't rename '${path}': ${NOT_FOUND}\n`
          : `cp: can't stat '${path}': ${NOT_FOUND}\n`
      const copied = isInto ? `${target.replace(/\/$/, '')}/${baseName(path)}` : target
      copy(run, path, copied, recursive)
      if (options.has('v')) run.print(`'${path}' -> '${copied}'\n`, false)
      if (name === 'mv') run.files.remove(path)
      return undefined
    })
  }

const remove: Builtin = (args, run) => {
  const options = optionsOf(args, 'rRf')
  const isForced = options.has('f')
  return each('rm', options.operands, run, (path) => {
    const entry = run.files.ownEntryAt(path)
    if (entry === undefined)
      return isForced ? undefined : `rm: can't remove '${path}': ${NOT_FOUND}\n`
    if (entry.kind === 'directory' && !options.has('r') && !options.has('R'))
      return `rm: '${path}' is a directory\n`
    run.files.remove(path)
    return undefined
  })
}

/** The mode that `chmod` sets: octal, or letters such as `u+x`. */
function changedMode(text: string, mode: number): number {
  if (/^[0-7]{3,4}$/.test(text)) return Number.parseInt(text, 8)
  return text.split(',').reduce((current, part) => {
    const found = /^([ugoa]*)([-+=])([rwx]*)$/.exec(part)
    if (found === null) throw new OutsideSubset('chmod')
    const [, who = '', operator = '', what = ''] = found
    const bits = [...what].reduce((sum, one) => sum | ({ r: 4, w: 2, x: 1 }[one] ?? 0), 0)
    const shifts = [...(who === '' || who.includes('a') ? 'ugo' : who)].map(
      (one) => ({ u: 6, g: 3, o: 0 })[one] ?? 0,
    )
    return shifts.reduce((now, shift) => {
      if (operator === '+') return now | (bits << shift)
      if (operator === '-') return now & ~(bits << shift)
      return (now & ~(7 << shift)) | (bits << shift)
    }, current)
  }, mode)
}

const chmod: Builtin = (args, run) => {
  const [mode = '', ...paths] = args.filter((word) => !/^-[Rv]$/.test(word))
  return each('chmod', paths, run, (path) => {
    const entry = run.files.entryAt(path)
    if (entry === undefined) return `chmod: ${path}: ${NOT_FOUND}\n`
    run.files.changeMode(path, changedMode(mode, entry.mode))
    return undefined
  })
}

/** `user`, `user:group` or `:group`, as numbers or root. */
function ownerIn(text: string): { uid?: number; gid?: number } {
  const [user = '', group = ''] = text.split(/[:.]/)
  const id = (name: string): number => {
    if (name === 'root') return 0
    if (!/^\d{1,10}$/.test(name)) throw new OutsideSubset('chown')
    return Number(name)
  }
  return { ...(user !== '' && { uid: id(user) }), ...(group !== '' && { gid: id(group) }) }
}

const stat: Builtin = (args, run) => {
  const options = optionsOf(args, 'c:L')
  const output: string[] = []
  const outcome = each('stat', options.operands, run, (path) => {
    const own = run.files.ownEntryAt(path)
    const entry = options.has('L') ? run.files.entryAt(path) : own
    if (entry === undefined) return `stat: can't stat '${path}': ${NOT_FOUND}\n`
    const mode = entry.kind === 'link' ? 0o777 : entry.mode
    const kind = { file: 'regular file', directory: 'directory', link: 'symbolic link' }[entry.kind]
    const values: Readonly<Record<string, string>> = {
      n: path,
      s: String(sizeOf(entry)),
      a: mode.toString(8),
      A: modeText(entry),
      F: kind,
      U: ownerName(entry.uid),
      G: ownerName(entry.gid),
      u: String(entry.uid ?? 0),
      g: String(entry.gid ?? 0),
    }
    const format =
      options.value('c') ?? '  File: %n\n  Size: %s\t%F\nAccess: (0%a/%A)  Uid: (%u/%U)'
    output.push(
      `${format.replace(/%(\w)/g, (_, one: string) => entryOf(values, one) ?? `%${one}`)}\n`,
    )
    return undefined
  })
  return { ...outcome, output: output.join('') }
}

/** All paths below a directory, parents first. */
function below(run: ScriptState, path: string, depth: number, found: string[]): string[] {
  run.step()
  found.push(path)
  if (found.length > MAXIMUM_FOUND) throw new OutsideSubset('find')
  if (depth > 0 && run.files.ownEntryAt(path)?.kind === 'directory')
    for (const name of run.files.list(path))
      below(run, `${path === '/' ? '' : path}/${name}`, depth - 1, found)
  return found
}

const find: Builtin = (args, run) => {
  const at = args.findIndex((word) => word.startsWith('-'))
  const paths = args.slice(0, at < 0 ? args.length : at)
  const tests = at < 0 ? [] : args.slice(at)
  const checks: ((path: string) => boolean)[] = []
  let depth = 50
  for (let index = 0; index < tests.length; index += 2) {
    const [name = '', value = ''] = tests.slice(index)
    if (name === '-name') checks.push((path) => matches(value, baseName(path)))
    else if (name === '-maxdepth') depth = Number(value) || 0
    else if (name === '-type')
      checks.push((path) => {
        const kind = run.files.ownEntryAt(path)?.kind
        return kind !== undefined && { f: 'file', d: 'directory', l: 'link' }[value] === kind
      })
    else if (name === '-print') index--
    else throw new OutsideSubset(name)
  }
  const errors: string[] = []
  const found = (paths.length > 0 ? paths : ['.']).flatMap((path) => {
    if (run.files.ownEntryAt(path) !== undefined) return below(run, path, depth, [])
    errors.push(`find: ${path}: ${NOT_FOUND}\n`)
    return []
  })
  const chosen = found.filter((path) => checks.every((check) => check(path)))
  return {
    output: chosen.map((path) => `${path}\n`).join(''),
    error: errors.join(''),
    code: errors.length > 0 ? 1 : 0,
  }
}

const du: Builtin = (args, run) => {
  const options = optionsOf(args, 'shak')
  const output = (options.operands.length > 0 ? options.operands : ['.']).map((path) => {
    const size = below(run, path, 50, []).reduce((sum, one) => {
      const entry = run.files.ownEntryAt(one)
      return sum + (entry ? Math.ceil(sizeOf(entry) / 4096) * 4 : 0)
    }, 0)
    return `${options.has('h') ? `${size}.0K` : size}\t${path}\n`
  })
  return { output: output.join('') }
}

const link: Builtin = (args, run) => {
  const options = optionsOf(args, 'sfn')
  const [target = '', path = baseName(target)] = options.operands
  if (!options.has('s')) throw new OutsideSubset('ln')
  return each('ln', [path], run, (given) => {
    const isInto = run.files.there(given) === 'directory' && !options.has('n')
    const place = isInto ? `${given}/${baseName(target)}` : given
    if (options.has('f') && run.files.ownEntryAt(place) !== undefined) run.files.remove(place)
    run.files.link(target, place)
    return undefined
  })
}

const readlink: Builtin = (args, run) => {
  const options = optionsOf(args, 'f')
  const [path = ''] = options.operands
  const entry = run.files.ownEntryAt(path)
  if (options.has('f')) return { output: `${run.files.resolved(path)}\n` }
  return entry?.kind === 'link' ? { output: `${entry.target}\n` } : { code: 1 }
}

const df: Builtin = () => ({
  output:
    'Filesystem           1K-blocks      Used Available Use% Mounted on\n' +
    'overlay              104857600   5242880  99614720   5% /\n',
})

export const FILE_COMMANDS: readonly (readonly [string, Builtin])[] = [
  ['[', test('[', ']', false)],
  ['[[', test('[[', ']]', true)],
  ['test', test('test', '', false)],
  ['ls', list],
  ['cp', transfer('cp')],
  ['mv', transfer('mv')],
  ['rm', remove],
  ['chmod', chmod],
  [
    'chown',
    (args, run) => {
      const [owner = '', ...paths] = optionsOf(args, 'R').operands
      return each('chown', paths, run, (path) => {
        run.files.changeOwner(path, ownerIn(owner))
        return undefined
      })
    },
  ],
  ['stat', stat],
  ['find', find],
  ['du', du],
  ['df', df],
  ['ln', link],
  ['readlink', readlink],
  ['realpath', ([path = ''], { files }) => ({ output: `${files.resolved(path)}\n` })],
  [
    'basename',
    ([path = '', suffix = '']) => {
      const name = baseName(path)
      const isCut = suffix !== '' && name.endsWith(suffix) && name !== suffix
      return { output: `${isCut ? name.slice(0, -suffix.length) : name}\n` }
    },
  ],
  [
    'dirname',
    ([path = '']) => {
      const at = path.replace(/(?<=.)\/$/, '').lastIndexOf('/')
      return { output: `${at < 0 ? '.' : path.slice(0, at) || '/'}\n` }
    },
  ],
  [
    'touch',
    (args, run) =>
      each('touch', optionsOf(args, 'acm').operands, run, (path) => {
        if (run.files.there(path) !== 'directory') run.write(path, '', true)
        return undefined
      }),
  ],
  [
    'mkdir',
    (args, run) => {
      const options = optionsOf(args, 'pm:')
      return each('mkdir', options.operands, run, (path) => {
        if (options.has('p') && run.files.there(path) === 'directory') return undefined
        const mode = changedMode(options.value('m') ?? '777', 0)
        run.files.makeDirectory(path, options.has('p'), mode)
        return undefined
      })
    },
  ],
  [
    'rmdir',
    (args, run) =>
      each('rmdir', optionsOf(args, 'p').operands, run, (path) => {
        if (run.files.there(path) === undefined) return `rmdir: '${path}': ${NOT_FOUND}\n`
        if (run.files.list(path).length > 0) return `rmdir: '${path}': Directory not empty\n`
        run.files.remove(path)
        return undefined
      }),
  ],
  [
    'mktemp',
    (args, run) => {
      const isDirectory = optionsOf(args, 'd').has('d')
      const path = `/tmp/tmp.${String(run.files.changes().size).padStart(6, 'A')}`
      if (isDirectory) run.files.makeDirectory(path)
      else run.write(path, '', false)
      run.changed()
      return { output: `${path}\n` }
    },
  ],
]
