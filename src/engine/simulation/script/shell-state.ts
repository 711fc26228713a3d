/**
 * The state of a running script: variables, streams, files, the simulated time, and the limits of
 * steps and of output.
 */
import { RecordedClient } from '../network/journal'
import type { Course, Surroundings } from './course'
import type { Changes } from './entries'
import { FileSystem } from './files'
import type { Line } from './line'
import { Endless, Exit, OutOfMemory, Return, Waits } from './signals'
import { type Node, OutsideSubset, parseScript } from './syntax'

export const MOST_STEPS = 5_000
/** Steps in the rounds of network loops of one simulation; the next one continues. */
const MOST_STEPS_OF_ROUNDS = 20_000
const MOST_TEXT = 262_144
/** Lines of skipped iterations that the log keeps. */
const MOST_REPEATED = 5_000

export interface Streams {
  input: { text: string } | undefined
  output(text: string): void
  error(text: string): void
}

/** A script at one time. */
export interface Snapshot {
  state: string
  time: number
  /** Lines of output. */
  lines: number
  /** Uses of the network. */
  used: number
}

export class ShellState {
  time = 0
  code = 0
  readonly files: FileSystem
  readonly around: Surroundings
  /** The network over time; undefined for a command, which has that of the moment. */
  readonly recorded: RecordedClient | undefined
  variables: Map<string, string>
  exported: Set<string>
  parameters: readonly string[] = []
  functions = new Map<string, Node>()
  /** The scripts that signals and the end of the script run. */
  traps = new Map<string, string>()
  /** Whether a failed command ends the script: `set -e`. */
  endsOnFailure = false
  /** Variables of the enclosing function that `local` hides. */
  locals: Map<string, string | undefined> | undefined
  streams: Streams = {
    input: undefined,
    output: (text) => this.log(text, false),
    error: (text) => this.log(text, true),
  }
  protected lines: Line[] = []
  protected readonly states: { at: number; files: Changes }[] = []
  protected cycle: Course['cycle']
  protected steps = 0
  /** The depth of pipes and substitutions whose output is not in the log. */
  protected captures = 0
  /** The depth of background commands. */
  protected backgrounds = 0
  private text = 0
  private stepsOfRounds = 0
  /** The most memory that was used, in bytes. */
  protected memory = 0
  private readonly parsed = new Map<string, Node>()
  private readonly loops = new Map<Node, number>()
  /** The number of outside changes that the program can see. */
  private received = 0

  constructor(around: Surroundings) {
    const { mounts, opaque = false, root, directory = '/', reach } = around
    this.recorded = reach && new RecordedClient(reach, () => this.time)
    this.around = reach ? { ...around, network: () => this.recordedNow() } : around
    this.files = new FileSystem({ mounts, opaque, ...root })
    this.files.directory = directory
    this.files.now = () => this.time
    if (around.input !== undefined) this.streams.input = { text: around.input }
    if (around.left) this.files.takeVolumes(around.left)
    if (around.files) this.files.take(around.files)
    this.receiveChanges()
    this.variables = new Map(Object.entries(around.environment))
    this.exported = new Set(this.variables.keys())
  }

  /** The uses of background commands would mix with those of the script. */
  private recordedNow(): RecordedClient | undefined {
    return this.backgrounds > 0 ? undefined : this.recorded
  }

  /** Applies the outside changes up to the current time. */
  protected receiveChanges(): void {
    const { outside = [] } = this.around
    const before = this.received
    for (let next = outside[before]; next && next.at <= this.time; ) {
      this.files.receive(next)
      next = outside[++this.received]
    }
    if (this.received > before && this.time > 0) this.changed()
  }

  step(count = 1): void {
    this.steps += count
    if (this.steps > MOST_STEPS) throw new Endless()
  }

  protected parse(script: string): Node {
    const known = this.parsed.get(script)
    if (known) return known
    const node = parseScript(script)
    this.parsed.set(script, node)
    return node
  }

  protected get uses(): number {
    return this.recorded?.count ?? 0
  }

  protected snapshot(): Snapshot {
    const { time, lines, uses } = this
    return { state: this.state(), time, lines: lines.length, used: uses }
  }

  /** Continues a loop that uses the network where its journal has it. @returns its round */
  protected resumed(node: Node, rounds: number): number {
    const { recorded } = this
    if (recorded === undefined) return rounds
    const number = this.loops.get(node) ?? this.loops.size
    this.loops.set(node, number)
    const found = recorded.round(`${number} ${this.state()}`, this.lines, rounds)
    if (found === undefined) return rounds
    this.stepsOfRounds += this.steps
    if (found === 'again') {
      if (this.stepsOfRounds > MOST_STEPS_OF_ROUNDS) throw new Waits(this.time)
      this.steps = 0
      return rounds
    }
    this.steps = 0
    this.time = found.at
    for (const line of found.lines) this.lines.push(line)
    this.receiveChanges()
    return found.rounds
  }

  /** Runs a command with variables of its own: `NAME=value command`. */
  withVariables(assigned: readonly [string, string][], run: () => number): number {
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

  restore(name: string, value: string | undefined): void {
    if (value === undefined) this.variables.delete(name)
    else this.variables.set(name, value)
  }

  declare(kind: string, word: string): void {
    const [variable = '', ...value] = word.split('=')
    if (kind === 'local' && this.locals && !this.locals.has(variable))
      this.locals.set(variable, this.variables.get(variable))
    if (value.length > 0) this.set(variable, value.join('='))
    else if (kind === 'local') this.set(variable, '')
    if (kind === 'export') this.exported.add(variable)
  }

  set(name: string, value: string): void {
    this.count(value)
    this.variables.set(name, value)
  }

  count(text: string): void {
    this.text += text.length
    if (this.text > MOST_TEXT) throw new OutsideSubset('more than is followed')
  }

  within<T>(streams: Streams, run: () => T): T {
    const outer = this.streams
    this.streams = streams
    try {
      return run()
    } finally {
      this.streams = outer
    }
  }

  captured(run: () => void): string {
    const parts: string[] = []
    this.captures++
    try {
      this.within({ ...this.streams, output: (text) => parts.push(text) }, run)
    } finally {
      this.captures--
    }
    return parts.join('')
  }

  sinkOf(path: string, append: boolean): (text: string) => void {
    if (/^\/(?:dev\/stdout|proc\/(?:1|self)\/fd\/1)$/.test(path))
      return (text) => this.log(text, false)
    if (/^\/(?:dev\/stderr|proc\/(?:1|self)\/fd\/2)$/.test(path))
      return (text) => this.log(text, true)
    this.write(path, '', append)
    return (text) => this.write(path, text, true)
  }

  readInput(): string | undefined {
    const { input } = this.streams
    if (input === undefined) return undefined
    const { text } = input
    input.text = ''
    return text
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

  print(text: string, isError: boolean): void {
    if (text === '') return
    this.count(text)
    if (isError) this.streams.error(text)
    else this.streams.output(text)
  }

  log(text: string, isError: boolean): void {
    this.lines.push({ at: this.time, text, isError })
  }

  /** Runs a part whose `exit` ends only that part. */
  protected ended(run: () => number): number {
    try {
      return run()
    } catch (signal) {
      if (!(signal instanceof Exit || signal instanceof Return)) throw signal
      return signal.code
    }
  }

  /** Runs a part with copies of variables and functions. */
  protected subshell(run: () => number): number {
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

  /**
   * The state equals that of the last iteration: the loop never ends, unless an outside change or
   * SIGTERM comes.
   * @returns whether the iterations before that are skipped
   */
  protected goesOn({ time, lines }: { time: number; lines: number }): boolean {
    const period = this.time - time
    const printed = this.lines.slice(lines)
    const wrote = this.states.some(({ at }) => at >= time && period > 0)
    // Loops that change files are interpreted as far as possible.
    if (wrote) return false
    const { terminatedAt, outside = [] } = this.around
    const until = terminatedAt ?? outside[this.received]?.at
    if (until !== undefined && period > 0) {
      const rounds = Math.max(0, Math.floor((until - this.time) / period))
      if (terminatedAt === undefined) this.repeat(printed, rounds, period)
      this.time += rounds * period
      return true
    }
    if (period > 0 && printed.length > 0) this.cycle = { from: time, period, lines: printed }
    if (this.cycle) this.lines = this.lines.slice(0, lines)
    throw new Endless()
  }

  /** Logs the lines of skipped iterations: the latest ones, if they are many. */
  private repeat(printed: readonly Line[], rounds: number, period: number): void {
    const kept = Math.floor(MOST_REPEATED / Math.max(1, printed.length))
    for (let round = Math.max(1, rounds - kept); round <= rounds; round++)
      for (const line of printed) this.lines.push({ ...line, at: line.at + round * period })
  }

  protected state(): string {
    return JSON.stringify([
      [...this.variables],
      this.parameters,
      this.streams.input,
      [...this.files.changes()],
    ])
  }

  /** The name with which the shell begins its messages. */
  protected get shellName(): string {
    return this.variables.get('0') ?? 'sh'
  }

  fail(message: string): never {
    this.streams.error(`${this.shellName}: ${message}\n`)
    throw new Exit(2)
  }

  allocate(bytes: number): void {
    this.memory = Math.max(this.memory, bytes)
    if (bytes > (this.around.memoryLimit ?? Number.POSITIVE_INFINITY)) throw new OutOfMemory()
  }

  /** Waits forever. */
  wait(): never {
    throw new Endless()
  }
}
