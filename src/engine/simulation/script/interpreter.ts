/**
 * Interprets a script in simulated time, which passes only in commands such as `sleep`. The number
 * of steps and the size of output and files are limited, so that interpretation is bounded.
 */

// Letters of options. cspell:ignore cexul exuo
import type { Outcome, ScriptState } from './command'
import { BUILTINS } from './commands'
import { Expansion, type ExpansionState, matchesAny } from './expansion'
import { type Changes, FileError, FileSystem, type Mount, type Root } from './files'
import { type Node, OutsideSubset, parseScript, type Redirection } from './syntax'
import type { Word } from './words'

export interface Surroundings {
  /** Name of the pod's host. */
  hostname: string
  environment: Readonly<Record<string, string>>
  mounts: readonly Mount[]
  /** The files of the image and of the runtime. */
  root?: Omit<Root, 'mounts' | 'opaque'>
  /** `/` if absent. */
  directory?: string
  /** The id of the user; root if absent. */
  user?: number
  /** Milliseconds since the epoch at the start; `date` prints a placeholder if absent. */
  now?: number
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
const DEEPEST = 100
/** Iterations of a loop that are compared with the previous one to detect an endless loop. */
const COMPARED_ROUNDS = 20

class Exit {
  constructor(readonly code: number) {}
}
class Return {
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

interface Streams {
  input: { text: string } | undefined
  output(text: string): void
  error(text: string): void
}

/** A background command; `ends` is undefined if it runs forever. */
interface Job {
  ends: number | undefined
  code: number
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

class Run implements ScriptState, ExpansionState {
  time = 0
  code = 0
  readonly files: FileSystem
  variables: Map<string, string>
  exported: Set<string>
  parameters: readonly string[] = []
  private functions = new Map<string, Node>()
  private lines: Line[] = []
  private readonly states: { at: number; files: Changes }[] = []
  private cycle: Course['cycle']
  private steps = 0
  private text = 0
  private streams: Streams = {
    input: undefined,
    output: (text) => this.log(text, false),
    error: (text) => this.log(text, true),
  }
  /** The depth of pipes and substitutions whose output is not in the log. */
  private captures = 0
  private endsOnFailure = false
  private traps = new Map<string, string>()
  private depth = 0
  private readonly jobs: Job[] = []
  private readonly parsed = new Map<string, Node>()
  private readonly expansion = new Expansion(this)
  /** Variables of the enclosing function that `local` hides. */
  private locals: Map<string, string | undefined> | undefined

  constructor(readonly around: Surroundings) {
    const { mounts, opaque = false, root, directory = '/' } = around
    this.files = new FileSystem({ mounts, opaque, ...root })
    this.files.directory = directory
    if (around.left) this.files.takeVolumes(around.left)
    if (around.files) this.files.take(around.files)
    this.variables = new Map(Object.entries(around.environment))
    this.exported = new Set(this.variables.keys())
  }

  get lastJob(): number {
    return this.jobs.length
  }

  whole(argv: readonly string[]): Course {
    let seconds: number | undefined
    try {
      this.code = this.ended(() => this.main(argv))
      const trap = this.traps.get('EXIT')
      if (trap !== undefined) {
        const { code } = this
        this.traps.delete('EXIT')
        this.ended(() => this.node(this.parse(trap), false))
        this.code = code
      }
      seconds = this.time
    } catch (signal) {
      if (!(signal instanceof Endless)) throw signal
    }
    return {
      lines: this.lines.sort((a, b) => a.at - b.at),
      cycle: this.cycle,
      files: this.states,
      left: this.files.kept(),
      seconds,
      code: this.code,
    }
  }

  private main(argv: readonly string[]): number {
    const script = scriptIn(argv)
    if (script === undefined) return this.command(argv)
    const [name = argv[0] ?? '', ...parameters] = script.parameters
    this.variables.set('0', name)
    this.parameters = parameters
    if (/[^cexul-]/.test(script.options)) throw new OutsideSubset(script.options)
    this.endsOnFailure = script.options.includes('e')
    return this.node(this.parse(script.script), true)
  }

  /** Runs a part whose `exit` ends only that part. */
  private ended(run: () => number): number {
    try {
      return run()
    } catch (signal) {
      if (!(signal instanceof Exit || signal instanceof Return)) throw signal
      return signal.code
    }
  }

  private parse(script: string): Node {
    const known = this.parsed.get(script)
    if (known) return known
    const node = parseScript(script)
    this.parsed.set(script, node)
    return node
  }

  step(count = 1): void {
    this.steps += count
    if (this.steps > MOST_STEPS) throw new Endless()
  }

  /** @param decides whether a failure ends the script under `set -e` */
  private node(node: Node, decides: boolean): number {
    this.step()
    if (++this.depth > DEEPEST) throw new OutsideSubset('too deep')
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
        const words = node.words?.flatMap((one) => this.expansion.fields(one)) ?? this.parameters
        for (const word of words) {
          this.variables.set(node.variable, word)
          const round = this.round(node.body, decides)
          if (round === 'break') break
          code = round
        }
        return code
      }
      case 'loop':
        return this.loop(node, decides)
      case 'case': {
        const word = this.expansion.joined(node.word)
        const branch = node.branches.find(({ patterns }) => {
          this.step(patterns.length)
          return matchesAny(
            patterns.map((one) => this.expansion.pattern(one)),
            word,
          )
        })
        return branch ? this.node(branch.body, decides) : 0
      }
      case 'function':
        this.functions.set(node.name, node.body)
        return 0
      case 'subshell': {
        const code = this.subshell(() => this.node(node.node, decides))
        this.pass(0, false)
        if (code !== 0 && decides && this.endsOnFailure) throw new Exit(code)
        return code
      }
      case 'background':
        return this.background(node.node)
      case 'pipe': {
        const code = this.pipe(node.left, node.right)
        if (code !== 0 && decides && this.endsOnFailure) throw new Exit(code)
        return code
      }
      case 'redirected':
        return this.redirected(node.redirections, () => this.node(node.node, decides))
    }
  }

  private pipe(left: Node, right: Node): number {
    let endless = false
    const text = this.captured(() => {
      try {
        this.subshell(() => this.node(left, false))
      } catch (signal) {
        // A reader that ends early, such as `head`, ends the writer.
        if (!(signal instanceof Endless)) throw signal
        if (this.steps > MOST_STEPS) throw new OutsideSubset('a pipe without end')
        endless = true
      }
    })
    if (endless && !(right.kind === 'simple' && isHead(right.words[0])))
      throw new OutsideSubset('a pipe without end')
    return this.within({ ...this.streams, input: { text } }, () =>
      this.subshell(() => this.node(right, false)),
    )
  }

  private within<T>(streams: Streams, run: () => T): T {
    const outer = this.streams
    this.streams = streams
    try {
      return run()
    } finally {
      this.streams = outer
    }
  }

  private captured(run: () => void): string {
    const parts: string[] = []
    this.captures++
    try {
      this.within({ ...this.streams, output: (text) => parts.push(text) }, run)
    } finally {
      this.captures--
    }
    return parts.join('')
  }

  outputOf(script: string): string {
    let code = 0
    const text = this.captured(() => {
      code = this.subshell(() => this.node(this.parse(script), false))
    })
    this.code = code
    return text
  }

  /** Runs a part with copies of variables and functions. */
  private subshell(run: () => number): number {
    const { variables, exported, functions, parameters, traps } = this
    const { directory } = this.files
    this.step(1 + Math.floor(variables.size / 50))
    this.variables = new Map(variables)
    this.exported = new Set(exported)
    this.functions = new Map(functions)
    this.traps = new Map()
    try {
      return this.ended(run)
    } finally {
      Object.assign(this, { variables, exported, functions, parameters, traps })
      this.files.directory = directory
    }
  }

  /** Runs a command from now on, next to the rest of the script. */
  private background(node: Node): number {
    const begin = this.time
    const states = this.states.length
    const job: Job = { ends: undefined, code: 0 }
    const { cycle } = this
    try {
      job.code = this.subshell(() => this.node(node, false))
      job.ends = this.time
    } catch (signal) {
      if (!(signal instanceof Endless) || this.steps > MOST_STEPS) throw signal
    }
    if (this.states.slice(states).some(({ at }) => at > begin) || (cycle && this.cycle !== cycle))
      throw new OutsideSubset('a background command that writes files')
    this.time = begin
    this.jobs.push(job)
    return 0
  }

  /** `wait`: until the background commands have ended. */
  private waitForJobs(numbers: readonly string[]): number {
    const jobs = numbers.length > 0 ? numbers.map((one) => this.jobs[Number(one) - 1]) : this.jobs
    let code = 0
    for (const job of jobs) {
      if (job === undefined) return 127
      this.pass((job.ends ?? Number.POSITIVE_INFINITY) - this.time, true)
      code = job.code
    }
    return numbers.length > 0 ? code : 0
  }

  private loop(
    { condition, until, body }: Extract<Node, { kind: 'loop' }>,
    decides: boolean,
  ): number {
    let code = 0
    let before: { state: string; time: number; lines: number } | undefined
    for (let rounds = 0; ; rounds++) {
      if ((this.node(condition, false) === 0) === until) return code
      if (rounds < COMPARED_ROUNDS && this.captures === 0) {
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
    return JSON.stringify([
      [...this.variables],
      this.parameters,
      this.streams.input,
      [...this.files.changes()],
    ])
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
      this.code = 0
      assigned.push([assignment.name, this.expansion.joined(assignment.value)])
      first++
    }
    const argv = this.argvOf(words.slice(first))
    if (argv.length > 0)
      return this.withVariables(assigned, () =>
        redirections.length === 0
          ? this.command(argv)
          : this.redirected(redirections, () => this.command(argv)),
      )
    const code = words.length > 0 ? this.code : 0
    for (const [name, value] of assigned) this.set(name, value)
    return redirections.length > 0 ? this.redirected(redirections, () => code) : code
  }

  /** Words of `[[` are not split, and its right operands are patterns. */
  private argvOf(words: readonly Word[]): string[] {
    const [name] = words[0] ?? []
    if (name?.kind !== 'text' || name.text !== '[[')
      return words.flatMap((word) => this.expansion.fields(word))
    const argv: string[] = []
    for (const word of words) {
      const isPattern = /^[!=]?=$/.test(argv.at(-1) ?? '')
      argv.push(isPattern ? this.expansion.pattern(word) : this.expansion.joined(word))
    }
    return argv
  }

  /** Runs a command with variables of its own: `NAME=value command`. */
  private withVariables(assigned: readonly [string, string][], run: () => number): number {
    if (assigned.length === 0) return run()
    const before = assigned.map(([name]) => [name, this.variables.get(name)] as const)
    const { exported } = this
    this.exported = new Set([...exported, ...assigned.map(([name]) => name)])
    for (const [name, value] of assigned) this.set(name, value)
    try {
      return run()
    } finally {
      this.exported = exported
      for (const [name, value] of before) this.restore(name, value)
    }
  }

  private restore(name: string, value: string | undefined): void {
    if (value === undefined) this.variables.delete(name)
    else this.variables.set(name, value)
  }

  private redirected(redirections: readonly Redirection[], run: () => number): number {
    const streams = { ...this.streams }
    try {
      for (const { from, kind, to } of redirections) {
        if (typeof to === 'number') {
          const copied = to === 2 ? streams.error : streams.output
          if (from.includes(1)) streams.output = copied
          if (from.includes(2)) streams.error = copied
        } else if (kind === 'document') streams.input = { text: this.expansion.joined(to) }
        else if (kind === 'read') streams.input = { text: this.readable(this.expansion.joined(to)) }
        else {
          const sink = this.sinkOf(this.expansion.joined(to), kind === 'append')
          if (from.includes(1)) streams.output = sink
          if (from.includes(2)) streams.error = sink
        }
      }
    } catch (problem) {
      if (!(problem instanceof FileError)) throw problem
      const verb = redirections.some(({ kind }) => kind === 'read') ? 'open' : 'create'
      this.streams.error(`sh: can't ${verb} ${problem.message}\n`)
      return 1
    }
    return this.within(streams, run)
  }

  private readable(path: string): string {
    const text = this.files.read(path)
    if (text === undefined) throw new FileError('No such file or directory', path)
    return text
  }

  private sinkOf(path: string, append: boolean): (text: string) => void {
    if (/^\/(?:dev\/stdout|proc\/(?:1|self)\/fd\/1)$/.test(path))
      return (text) => this.log(text, false)
    if (/^\/(?:dev\/stderr|proc\/(?:1|self)\/fd\/2)$/.test(path))
      return (text) => this.log(text, true)
    this.write(path, '', append)
    return (text) => this.write(path, text, true)
  }

  private command(argv: readonly string[]): number {
    const body = this.functions.get(argv[0] ?? '')
    if (body) return this.call(body, argv.slice(1))
    const { output = '', error = '', code = 0 } = this.outcome(argv)
    this.print(output, false)
    this.print(error, true)
    return code
  }

  private call(body: Node, parameters: readonly string[]): number {
    const outer = { parameters: this.parameters, locals: this.locals }
    this.parameters = parameters
    const locals = new Map<string, string | undefined>()
    this.locals = locals
    try {
      return this.node(body, true)
    } catch (signal) {
      if (!(signal instanceof Return)) throw signal
      return signal.code
    } finally {
      for (const [name, value] of locals) this.restore(name, value)
      Object.assign(this, outer)
    }
  }

  run(argv: readonly string[], input?: string): Outcome {
    let code = 0
    const streams = input === undefined ? this.streams : { ...this.streams, input: { text: input } }
    const output = this.captured(() => {
      code = this.within({ ...streams, output: this.streams.output }, () => this.command(argv))
    })
    return { output, code }
  }

  private outcome(argv: readonly string[]): Outcome {
    this.step()
    const scripted = this.around.scripted?.(argv)
    if (scripted) return scripted
    const [name = '', ...args] = argv
    const control = this.controlled(name, args)
    if (control) return control
    const inner = scriptIn(argv)
    if (inner) return { code: this.innerShell(inner.script, inner.parameters) }
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

  private innerShell(script: string, [, ...parameters]: readonly string[]): number {
    const outer = this.endsOnFailure
    this.endsOnFailure = false
    try {
      return this.subshell(() => {
        this.parameters = parameters
        return this.node(this.parse(script), true)
      })
    } finally {
      this.endsOnFailure = outer
    }
  }

  /** Built-in commands that change the state of the shell. */
  private controlled(name: string, args: readonly string[]): Outcome | undefined {
    switch (name) {
      case 'exit':
        throw new Exit((Number(args[0] ?? this.code) || 0) & 255)
      case 'return':
        throw new Return((Number(args[0] ?? this.code) || 0) & 255)
      case 'exec': {
        if (args.length === 0) throw new OutsideSubset('exec')
        throw new Exit(this.command(args))
      }
      case 'eval':
        return { code: this.node(this.parse(args.join(' ')), true) }
      case 'break':
      case 'continue':
        throw new Jump(name, Number(args[0] ?? 1) || 1)
      case 'set':
        return this.setOptions(args)
      case 'shift':
        this.parameters = this.parameters.slice(Number(args[0] ?? 1) || 0)
        return {}
      case 'cd': {
        const path = args[0] ?? this.variables.get('HOME') ?? '/'
        if (this.files.there(path) !== 'directory')
          return { error: `sh: cd: can't cd to ${path}: No such file or directory\n`, code: 1 }
        this.files.directory = this.files.absolute(path)
        this.set('PWD', this.files.directory)
        return {}
      }
      case 'trap':
        return this.trap(args)
      case 'wait':
        return { code: this.waitForJobs(args) }
      case 'read':
        return this.read(args.filter((word) => word !== '-r'))
      case 'unset':
        for (const variable of args) this.variables.delete(variable)
        return {}
      case 'local':
      case 'export':
      case 'readonly':
        for (const word of args) this.declare(name, word)
        return {}
      default:
        return undefined
    }
  }

  private setOptions(args: readonly string[]): Outcome {
    for (const [index, option] of args.entries()) {
      if (option === '--') {
        this.parameters = args.slice(index + 1)
        break
      }
      if (option === '-o' || option === '+o' || option === 'pipefail') continue
      if (!/^[-+][exuo]+$/.test(option)) throw new OutsideSubset('set')
      if (option.includes('e')) this.endsOnFailure = option.startsWith('-')
    }
    return {}
  }

  private trap(args: readonly string[]): Outcome {
    const [script, ...signals] = args
    if (script === undefined || signals.length === 0) throw new OutsideSubset('trap')
    for (const signal of signals) {
      const name = signal.replace(/^SIG/, '').replace(/^15$/, 'TERM').replace(/^0$/, 'EXIT')
      if (script === '-') this.traps.delete(name)
      else this.traps.set(name, script)
    }
    return {}
  }

  private declare(kind: string, word: string): void {
    const [variable = '', ...value] = word.split('=')
    if (kind === 'local' && this.locals && !this.locals.has(variable))
      this.locals.set(variable, this.variables.get(variable))
    if (value.length > 0) this.set(variable, value.join('='))
    else if (kind === 'local') this.set(variable, '')
    if (kind === 'export') this.exported.add(variable)
  }

  /** `read`: one line of the standard input, split over the names. */
  private read(names: readonly string[]): Outcome {
    const { input } = this.streams
    if (input === undefined || names.some((name) => name.startsWith('-')))
      throw new OutsideSubset('read')
    if (input.text === '') {
      for (const name of names) this.set(name, '')
      return { code: 1 }
    }
    const end = input.text.indexOf('\n')
    const line = end < 0 ? input.text : input.text.slice(0, end)
    input.text = end < 0 ? '' : input.text.slice(end + 1)
    this.step(1 + Math.floor(line.length / 100))
    const separator = this.variables.get('IFS')
    const words = (separator ? line.split(separator) : line.trim().split(/[ \t]+/)) as string[]
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1
      this.set(name, isLast ? words.slice(index).join(separator ?? ' ') : (words[index] ?? ''))
    }
    return { code: end < 0 ? 1 : 0 }
  }

  readInput(): string | undefined {
    const { input } = this.streams
    if (input === undefined) return undefined
    const { text } = input
    input.text = ''
    return text
  }

  fail(message: string): never {
    this.streams.error(`sh: ${message}\n`)
    throw new Exit(2)
  }

  set(name: string, value: string): void {
    this.count(value)
    this.variables.set(name, value)
  }

  /** Advances time; after SIGTERM the trap runs. */
  sleep(seconds: number): void {
    this.pass(seconds, false)
  }

  /** @param interruptible whether a trap runs at once, as in `wait` */
  private pass(seconds: number, interruptible: boolean): void {
    const { terminatedAt } = this.around
    const trap = this.traps.get('TERM')
    const end = this.time + Math.max(0, seconds)
    const runsTrap = terminatedAt !== undefined && end >= terminatedAt && trap !== undefined
    if (!Number.isFinite(end) && !(runsTrap && interruptible)) throw new Endless()
    this.time = runsTrap && interruptible ? Math.max(this.time, terminatedAt) : end
    if (!runsTrap) return
    this.traps.delete('TERM')
    this.node(this.parse(trap), true)
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
    if (isError) this.streams.error(text)
    else this.streams.output(text)
  }

  private log(text: string, isError: boolean): void {
    this.lines.push({ at: this.time, text, isError })
  }

  count(text: string): void {
    this.text += text.length
    if (this.text > MOST_TEXT) throw new OutsideSubset('more than is followed')
  }
}

function isHead(word: Word | undefined): boolean {
  const [part] = word ?? []
  return part?.kind === 'text' && /(?:^|\/)head$/.test(part.text)
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
