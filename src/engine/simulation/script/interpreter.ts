/**
 * Interprets a script in simulated time, which passes only in commands such as `sleep`. The number
 * of steps and the size of output and files are limited, so that interpretation is bounded.
 */

// Letters of options. cspell:ignore cexul
import type { Outcome, ScriptState } from './command'
import { assignmentIn, isHead, scriptIn } from './command-words'
import { BUILTINS } from './commands'
import { CONTROL_COMMANDS, type ControlledShell } from './control-commands'
import type { Course, Surroundings } from './course'
import { FileError } from './entries'
import { Expansion, type ExpansionState, matchesAny } from './expansion'
import { type Job, Jobs } from './jobs'
import { redirectedStreams } from './redirections'
import { MOST_STEPS, ShellState, type Snapshot, type Streams } from './shell-state'
import { Endless, Exit, Jump, OutOfMemory, Return, Waits } from './signals'
import { type Node, OutsideSubset, type Redirection } from './syntax'
import type { Word } from './words'

const DEEPEST = 100
/** Iterations of a loop that are compared with the previous one to detect an endless loop. */
const COMPARED_ROUNDS = 20
/** Seconds of a later round that uses the network, at least: no real loop is without delay. */
const ROUND_SECONDS = 1
/** 128 + SIGKILL. */
const KILLED = 137

/** @param argv a program and its arguments @throws OutsideSubset */
export function follow(argv: readonly string[], around: Surroundings): Course {
  const run = new Run(around)
  return run.whole(argv)
}

class Run extends ShellState implements ControlledShell, ScriptState, ExpansionState {
  private depth = 0
  private readonly jobs = new Jobs()
  private readonly expansion = new Expansion(this)

  get lastJob(): number {
    return this.jobs.last
  }

  whole(argv: readonly string[]): Course {
    let seconds: number | undefined
    let end: Endless | undefined
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
      if (signal instanceof OutOfMemory) {
        seconds = this.time
        this.code = KILLED
      } else if (!(signal instanceof Waits || signal instanceof Endless)) throw signal
      end = signal
    }
    return {
      lines: this.lines.sort((a, b) => a.at - b.at),
      cycle: this.cycle,
      files: this.states,
      left: this.files.kept(),
      writes: this.files.writes,
      seconds,
      code: this.code,
      usesNetwork: end instanceof Waits || this.uses > 0,
      waitsUntil: end instanceof Waits ? end.at : undefined,
      isOutOfMemory: end instanceof OutOfMemory,
      memory: this.memory,
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
      case 'simple':
        return this.checked(this.simple(node.words, node.redirections), decides)
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
        return this.checked(code, decides)
      }
      case 'background':
        return this.background(node.node)
      case 'pipe':
        return this.checked(this.pipe(node.left, node.right), decides)
      case 'redirected':
        return this.redirected(node.redirections, () => this.node(node.node, decides))
    }
  }

  /** @throws Exit for a failure under `set -e` */
  private checked(code: number, decides: boolean): number {
    if (code !== 0 && decides && this.endsOnFailure) throw new Exit(code)
    return code
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

  outputOf(script: string): string {
    let code = 0
    const text = this.captured(() => {
      code = this.subshell(() => this.node(this.parse(script), false))
    })
    this.code = code
    return text
  }

  /** Runs a command from now on, next to the rest of the script. */
  private background(node: Node): number {
    const begin = this.time
    const states = this.states.length
    const job: Job = { ends: undefined, code: 0 }
    const { cycle } = this
    this.backgrounds++
    try {
      job.code = this.subshell(() => this.node(node, false))
      job.ends = this.time
    } catch (signal) {
      if (!(signal instanceof Endless) || this.steps > MOST_STEPS) throw signal
    } finally {
      this.backgrounds--
    }
    if (this.states.slice(states).some(({ at }) => at > begin) || (cycle && this.cycle !== cycle))
      throw new OutsideSubset('a background command that writes files')
    this.time = begin
    this.jobs.add(job)
    return 0
  }

  /** `wait`: until the background commands have ended. */
  waitForJobs(numbers: readonly string[]): number {
    let code = 0
    for (const job of this.jobs.named(numbers)) {
      if (job === undefined) return 127
      this.pass((job.ends ?? Number.POSITIVE_INFINITY) - this.time, true)
      code = job.code
    }
    return numbers.length > 0 ? code : 0
  }

  private loop(node: Extract<Node, { kind: 'loop' }>, decides: boolean): number {
    const { condition, until, body } = node
    let code = 0
    let before: Snapshot | undefined
    for (let rounds = 0; ; rounds++) {
      if (this.captures === 0) rounds = this.resumed(node, rounds)
      const began = { time: this.time, used: this.uses }
      if ((this.node(condition, false) === 0) === until) return code
      if (rounds < COMPARED_ROUNDS && this.captures === 0) {
        const now = this.snapshot()
        const isSame = before?.state === now.state && before.used === now.used
        if (before && isSame && this.goesOn(before)) rounds = 0
        before = now
      }
      const round = this.round(body, decides)
      if (round === 'break') return code
      code = round
      if (rounds >= COMPARED_ROUNDS && this.uses !== began.used)
        this.pass(began.time + ROUND_SECONDS - this.time, false)
    }
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

  private redirected(redirections: readonly Redirection[], run: () => number): number {
    let streams: Streams
    try {
      streams = redirectedStreams(redirections, this, this.expansion)
    } catch (problem) {
      if (!(problem instanceof FileError)) throw problem
      const verb = redirections.some(({ kind }) => kind === 'read') ? 'open' : 'create'
      this.streams.error(`${this.shellName}: can't ${verb} ${problem.message}\n`)
      return 1
    }
    return this.within(streams, run)
  }

  command(argv: readonly string[]): number {
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

  evaluate(script: string): number {
    return this.node(this.parse(script), true)
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
    const control = CONTROL_COMMANDS.get(name)
    if (control) return control(args, this)
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
    this.receiveChanges()
    if (!runsTrap) return
    this.traps.delete('TERM')
    this.evaluate(trap)
  }
}
