/**
 * Interprets a script in simulated time, which passes only in commands such as `sleep`. The number
 * of steps and the size of output and files are limited, so that interpretation is bounded.
 */

import { withoutTrailing } from '../../core/text-end'
import type { Outcome, ScriptState } from './command'
import { BUILTINS } from './commands'
import { sumOf } from './conditions'
import { type Changes, FileError, FileSystem, type Mount, type Root } from './files'
import {
  type Node,
  OutsideSubset,
  type Part,
  parseScript,
  type Redirection,
  type Word,
} from './syntax'

export interface Surroundings {
  /** Name of the pod's host. */
  hostname: string
  environment: Readonly<Record<string, string>>
  mounts: readonly Mount[]
  /** The files of the image and of the runtime. */
  root?: Omit<Root, 'mounts' | 'opaque'>
  /** `/` if absent. */
  directory?: string
  /** The output of `date`; a placeholder if absent. */
  date?: string
  /** An opaque program runs in the same container and may have written any file. */
  opaque?: boolean
  /** The result of an unknown command; absent if it has none. */
  unknown?(words: readonly string[]): Outcome
  /** Scripted results that take precedence over commands. */
  scripted?(words: readonly string[]): Outcome | undefined
  /** Files that the program of the container wrote so far, by path. */
  files?: Changes
  /** Volume contents that earlier runs left, by volume. */
  left?: Changes
  /** Seconds after the start at which it gets SIGTERM. */
  terminatedAt?: number
}

export interface Line {
  /** Seconds since the start of the program. */
  at: number
  text: string
  isError: boolean
}

/** The effects of a program, as far as it was interpreted. */
export interface Course {
  lines: readonly Line[]
  /** The lines that repeat with this period, from this second on. */
  cycle: { from: number; period: number; lines: readonly Line[] } | undefined
  /** The states of the files, each with the second at which it begins. */
  files: readonly { at: number; files: Changes }[]
  /** Volume contents at the end. */
  left: Changes
  /** Duration; undefined if it runs forever, or longer than it can be interpreted. */
  seconds: number | undefined
  code: number
}

const MOST_STEPS = 5_000
const MOST_TEXT = 262_144
/** Iterations of a loop that are compared with the previous one to detect an endless loop. */
const COMPARED_ROUNDS = 20

class Exit {
  constructor(readonly code: number) {}
}
/** The program runs forever, or longer than it can be interpreted. */
class Endless {}
class Jump {
  constructor(
    readonly where: 'break' | 'continue',
    public levels: number,
  ) {}
}

/** @param argv a program and its arguments @throws OutsideSubset */
export function follow(argv: readonly string[], around: Surroundings): Course {
  const run = new Run(around)
  return run.whole(argv)
}

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|a|da)?sh$/

/** @returns the script and its parameters if the command is a shell with `-c` */
function scriptIn(
  argv: readonly string[],
): { script: string; options: string; parameters: readonly string[] } | undefined {
  const [shell = '', ...rest] = argv
  if (!SHELL.test(shell)) return undefined
  const at = rest.findIndex((word) => !/^-[a-z]+$/.test(word))
  const options = rest.slice(0, at < 0 ? rest.length : at).join('')
  const script = rest[at]
  return at > 0 && options.includes('c') && script !== undefined
    ? { script, options, parameters: rest.slice(at + 1) }
    : undefined
}

class Run implements ScriptState {
  time = 0
  readonly files: FileSystem
  readonly variables: Map<string, string>
  readonly exported: Set<string>
  private lines: Line[] = []
  private readonly states: { at: number; files: Changes }[] = []
  private cycle: Course['cycle']
  private steps = 0
  private text = 0
  private code = 0
  private captured: string[] | undefined
  private endsOnFailure = false
  private trap: string | undefined
  private depth = 0

  constructor(readonly around: Surroundings) {
    const { mounts, opaque = false, root, directory = '/' } = around
    this.files = new FileSystem({ mounts, opaque, ...root })
    this.files.directory = directory
    if (around.left) this.files.takeVolumes(around.left)
    if (around.files) this.files.take(around.files)
    this.variables = new Map(Object.entries(around.environment))
    this.exported = new Set(this.variables.keys())
  }

  whole(argv: readonly string[]): Course {
    let seconds: number | undefined
    try {
      const script = scriptIn(argv)
      if (script === undefined) this.code = this.command(argv)
      else {
        for (const [index, value] of script.parameters.entries())
          this.variables.set(String(index), value)
        if (/[^cexl-]/.test(script.options)) throw new OutsideSubset(script.options)
        this.endsOnFailure = script.options.includes('e')
        this.code = this.node(parseScript(script.script), true)
      }
      seconds = this.time
    } catch (signal) {
      if (signal instanceof Exit) {
        this.code = signal.code
        seconds = this.time
      } else if (!(signal instanceof Endless)) throw signal
    }
    return {
      lines: this.lines,
      cycle: this.cycle,
      files: this.states,
      left: this.files.kept(),
      seconds,
      code: this.code,
    }
  }

  step(): void {
    if (++this.steps > MOST_STEPS) throw new Endless()
  }

  /** @param decides whether a failure ends the script under `set -e` */
  private node(node: Node, decides: boolean): number {
    this.step()
    if (++this.depth > 100) throw new OutsideSubset('too deep')
    try {
      this.code = this.nodeNow(node, decides)
      return this.code
    } finally {
      this.depth--
    }
  }

  private nodeNow(node: Node, decides: boolean): number {
    switch (node.kind) {
      case 'simple': {
        const code = this.simple(node.words, node.redirections)
        if (code !== 0 && decides && this.endsOnFailure) throw new Exit(code)
        return code
      }
      case 'list': {
        let code = 0
        for (const part of node.nodes) code = this.node(part, decides)
        return code
      }
      case 'and':
      case 'or': {
        const code = this.node(node.left, false)
        return (code === 0) === (node.kind === 'and') ? this.node(node.right, decides) : code
      }
      case 'not':
        return this.node(node.node, false) === 0 ? 1 : 0
      case 'if':
        if (this.node(node.condition, false) === 0) return this.node(node.then, decides)
        return node.otherwise ? this.node(node.otherwise, decides) : 0
      case 'for': {
        let code = 0
        for (const word of node.words.flatMap((one) => this.expanded(one))) {
          this.variables.set(node.variable, word)
          const round = this.round(node.body, decides)
          if (round === 'break') break
          code = round
        }
        return code
      }
      case 'loop':
        return this.loop(node, decides)
    }
  }

  private loop(
    { condition, until, body }: Extract<Node, { kind: 'loop' }>,
    decides: boolean,
  ): number {
    let code = 0
    let before: { state: string; time: number; lines: number } | undefined
    for (let rounds = 0; ; rounds++) {
      if ((this.node(condition, false) === 0) === until) return code
      if (rounds < COMPARED_ROUNDS && this.captured === undefined) {
        const now = { state: this.state(), time: this.time, lines: this.lines.length }
        if (before?.state === now.state) this.goesOn(before)
        before = now
      }
      const round = this.round(body, decides)
      if (round === 'break') return code
      code = round
    }
  }

  /** The state equals that of the last iteration, so the loop never ends. */
  private goesOn({ time, lines }: { time: number; lines: number }): void {
    const period = this.time - time
    const printed = this.lines.slice(lines)
    const wrote = this.states.some(({ at }) => at >= time && period > 0)
    // Loops that change files are interpreted as far as possible.
    if (wrote) return
    const { terminatedAt } = this.around
    if (terminatedAt !== undefined && period > 0) {
      // Until SIGTERM each iteration equals the previous one.
      this.time += Math.max(0, Math.floor((terminatedAt - this.time) / period)) * period
      return
    }
    if (period > 0 && printed.length > 0) this.cycle = { from: time, period, lines: printed }
    if (this.cycle) this.lines = this.lines.slice(0, lines)
    throw new Endless()
  }

  private state(): string {
    return JSON.stringify([[...this.variables], [...this.files.changes()]])
  }

  private round(body: Node, decides: boolean): number | 'break' {
    try {
      return this.node(body, decides)
    } catch (signal) {
      if (!(signal instanceof Jump)) throw signal
      if (--signal.levels > 0) throw signal
      return signal.where === 'break' ? 'break' : 0
    }
  }

  private simple(words: readonly Word[], redirections: readonly Redirection[]): number {
    const assigned: [string, string][] = []
    let first = 0
    for (const word of words) {
      const assignment = assignmentIn(word)
      if (assignment === undefined) break
      assigned.push([assignment.name, this.joined(assignment.value)])
      first++
    }
    const argv = words.slice(first).flatMap((word) => this.expanded(word))
    if (argv.length === 0) {
      for (const [name, value] of assigned) this.set(name, value)
      return 0
    }
    if (assigned.length > 0) throw new OutsideSubset('assignments before a command')
    const targets = redirections.map(({ from, to, append }) => ({
      from,
      append,
      path: to === 'output' ? to : this.joined(to),
    }))
    if (targets.length === 0) return this.command(argv)
    return this.redirected(argv, targets)
  }

  private redirected(
    argv: readonly string[],
    targets: { from: number; append: boolean; path: string }[],
  ): number {
    if (scriptIn(argv) || argv[0] === 'exec') throw new OutsideSubset('redirected')
    const output = targets.find(({ from, path }) => from === 1 && path !== 'output')
    const error = targets.find(({ from }) => from === 2)
    try {
      for (const { path, append } of targets) if (path !== 'output') this.write(path, '', append)
    } catch (problem) {
      if (!(problem instanceof FileError)) throw problem
      this.print(`sh: can't create ${problem.message}\n`, true)
      return 1
    }
    const outcome = this.outcome(argv)
    if (output) this.write(output.path, outcome.output ?? '', true)
    else this.print(outcome.output ?? '', false)
    if (error === undefined) this.print(outcome.error ?? '', true)
    else if (error.path !== 'output') this.write(error.path, outcome.error ?? '', true)
    else if (output) this.write(output.path, outcome.error ?? '', true)
    else this.print(outcome.error ?? '', false)
    return outcome.code ?? 0
  }

  private command(argv: readonly string[]): number {
    const { output = '', error = '', code = 0 } = this.outcome(argv)
    this.print(output, false)
    this.print(error, true)
    return code
  }

  private outcome(argv: readonly string[]): Outcome {
    this.step()
    const scripted = this.around.scripted?.(argv)
    if (scripted) return scripted
    const [name = '', ...args] = argv
    const control = this.controlled(name, args)
    if (control) return control
    const inner = scriptIn(argv)
    if (inner) return { code: this.innerShell(inner.script) }
    const builtin = BUILTINS.get(name.replace(/^\/(?:usr\/)?s?bin\//, ''))
    if (builtin === undefined && this.around.unknown) return this.around.unknown(argv)
    if (builtin === undefined) throw new OutsideSubset(name)
    try {
      return builtin(args, this)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return { error: `${name}: ${error.message}\n`, code: 1 }
    }
  }

  private innerShell(script: string): number {
    const outer = this.endsOnFailure
    this.endsOnFailure = false
    try {
      return this.node(parseScript(script, this.depth), true)
    } catch (signal) {
      if (!(signal instanceof Exit)) throw signal
      return signal.code
    } finally {
      this.endsOnFailure = outer
    }
  }

  /** Control flow commands. */
  private controlled(name: string, args: readonly string[]): Outcome | undefined {
    switch (name) {
      case 'exit':
        throw new Exit((Number(args[0] ?? this.code) || 0) & 255)
      case 'exec': {
        if (args.length === 0) throw new OutsideSubset('exec')
        throw new Exit(this.command(args))
      }
      case 'break':
      case 'continue':
        throw new Jump(name, Number(args[0] ?? 1) || 1)
      case 'set':
        for (const option of args) {
          if (!/^[-+][ex]+$/.test(option)) throw new OutsideSubset('set')
          if (option.includes('e')) this.endsOnFailure = option.startsWith('-')
        }
        return {}
      case 'trap':
        if (args.length < 2) throw new OutsideSubset('trap')
        if (args.slice(1).some((signal) => /^(?:SIG)?TERM$|^15$/.test(signal))) this.trap = args[0]
        return {}
      case 'export':
        for (const word of args) {
          const [variable = '', ...value] = word.split('=')
          if (value.length > 0) this.set(variable, value.join('='))
          this.exported.add(variable)
        }
        return {}
      default:
        return undefined
    }
  }

  private set(name: string, value: string): void {
    this.count(value)
    this.variables.set(name, value)
  }

  /** Advances time; after SIGTERM the trap runs. */
  sleep(seconds: number): void {
    if (!Number.isFinite(seconds)) throw new Endless()
    this.time += seconds
    const { terminatedAt } = this.around
    if (terminatedAt === undefined || this.time < terminatedAt || this.trap === undefined) return
    const script = this.trap
    this.trap = undefined
    this.node(parseScript(script, 1), true)
  }

  /** Waits forever. */
  wait(): never {
    throw new Endless()
  }

  write(path: string, content: string, append: boolean): void {
    this.files.write(path, content, append)
    this.changed()
  }

  /** Records the state of the files from the current time on. */
  changed(): void {
    const last = this.states.at(-1)
    if (last?.at === this.time) this.states.pop()
    this.states.push({ at: this.time, files: this.files.changes() })
  }

  private print(text: string, isError: boolean): void {
    if (text === '') return
    this.count(text)
    if (this.captured !== undefined && !isError) {
      this.captured.push(text)
      return
    }
    this.lines.push({ at: this.time, text, isError })
  }

  private count(text: string): void {
    this.text += text.length
    if (this.text > MOST_TEXT) throw new OutsideSubset('more than is followed')
  }

  private joined(word: Word): string {
    return word.map((part) => this.valueOf(part)).join('')
  }

  /** Expands a word to words. */
  private expanded(word: Word): string[] {
    const words: string[] = []
    let open: string | undefined
    for (const part of word) {
      if (part.kind === 'text') {
        if (!part.quoted && /[*?~{]|\[[^[]/.test(part.text)) throw new OutsideSubset(part.text)
        open = (open ?? '') + part.text
      } else if (part.quoted) open = (open ?? '') + this.valueOf(part)
      else {
        const value = this.valueOf(part)
        const pieces = value.split(/[ \t\n]+/)
        pieces.forEach((piece, index) => {
          if (index > 0) {
            if (open !== undefined) words.push(open)
            open = undefined
          }
          if (piece !== '') open = (open ?? '') + piece
        })
      }
    }
    if (open !== undefined) words.push(open)
    for (const one of words) this.count(one)
    return words
  }

  private valueOf(part: Part): string {
    this.step()
    switch (part.kind) {
      case 'text':
        return part.text
      case 'variable': {
        const value = part.name === '?' ? String(this.code) : this.variables.get(part.name)
        if (part.name === 'RANDOM') throw new OutsideSubset('RANDOM')
        const shown =
          value === undefined || (value === '' && part.otherwise)
            ? part.otherwise && this.joined(part.otherwise)
            : value
        this.count(shown ?? '')
        return shown ?? ''
      }
      case 'sum':
        return String(sumOf(this.joined(part.word), (name) => this.variables.get(name) ?? ''))
      case 'output': {
        const outer = this.captured
        this.captured = []
        try {
          this.code = this.node(part.list, false)
          return withoutTrailing(this.captured.join(''), '\n')
        } catch (signal) {
          if (!(signal instanceof Exit)) throw signal
          this.code = signal.code
          return withoutTrailing(this.captured.join(''), '\n')
        } finally {
          this.captured = outer
        }
      }
    }
  }
}

function assignmentIn([first, ...rest]: Word): { name: string; value: Word } | undefined {
  if (first?.kind !== 'text' || first.quoted) return undefined
  const found = /^([A-Za-z_]\w*)=/.exec(first.text)
  if (found === null) return undefined
  return {
    name: found[1] ?? '',
    value: [{ ...first, text: first.text.slice(found[0].length) }, ...rest],
  }
}
