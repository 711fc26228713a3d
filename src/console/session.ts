/** Runs command lines, and returns output and exit codes. */
import { ApiClient } from './client'
import type { Command, Context, FlagValues, Invocation } from './command'
import { COMMANDS } from './commands'
import { WHY } from './commands/why'
import { Discovery } from './discovery'
import type { ConsoleClock, Contexts, Host, Transport } from './environment'
import { CommandError, Exit, errorText, exitCodeOf } from './errors'
import type { Filter } from './filter'
import { FILTERS } from './filters'
import { readFlags } from './flags'
import { GLOBAL_FLAGS } from './globals'
import { helpOf, overview } from './help'
import { type Pipeline, readLine, type Stage } from './line'
import { Pipe, singleText } from './pipe'

export interface SessionOptions {
  transport: Transport
  /** For completion; `transport` if absent. */
  background?: Transport
  host: Host
  clock: ConsoleClock
  contexts: Contexts
}

/** A command, and its arguments after `kubectl`. */
export interface Named {
  command: Command
  /** `kubectl auth can-i` */
  path: string
  rest: string[]
}

interface Streams {
  input: AsyncIterable<string> | undefined
  out(text: string): void
  err(text: string): void
  signal: AbortSignal
}

export class Session {
  readonly discovery: Discovery

  constructor(readonly options: SessionOptions) {
    this.discovery = new Discovery(() =>
      this.client(new AbortController().signal, undefined, () => undefined),
    )
  }

  /** @returns the exit code of the last command */
  async run(text: string, signal: AbortSignal): Promise<number> {
    const { host } = this.options
    try {
      let code = 0
      for (const pipeline of readLine(text)) {
        if (signal.aborted) return INTERRUPTED
        if (pipeline.onSuccess && code !== 0) continue
        code = await this.runPipeline(pipeline, signal)
      }
      return code
    } catch (error) {
      host.writeError(errorText(error))
      return exitCodeOf(error)
    }
  }

  /** Runs one command: `['get', 'pods']`. */
  runWords(
    words: readonly string[],
    streams: Partial<Streams> & { signal: AbortSignal },
  ): Promise<number> {
    const { host } = this.options
    return this.runKubectl(words, {
      input: undefined,
      out: (text) => host.write(text),
      err: (text) => host.writeError(text),
      ...streams,
    })
  }

  /** With the line's impersonation and verbosity. */
  client(
    signal: AbortSignal,
    flags: FlagValues | undefined,
    err: (text: string) => void,
  ): ApiClient {
    const { transport, background = transport, clock, contexts } = this.options
    return new ApiClient({
      transport: flags === undefined ? background : transport,
      ...contextFlag(flags, contexts),
      clock,
      signal,
      server: contexts.server,
      headers: flags === undefined ? {} : impersonation(flags, contexts),
      verbosity: flags?.number('v') ?? 0,
      timeout: flags === undefined ? 0 : timeoutOf(flags),
      err,
    })
  }

  /** Runs all stages at once. @returns the exit code of the last */
  private async runPipeline({ stages }: Pipeline, signal: AbortSignal): Promise<number> {
    const { host } = this.options
    const err = (text: string) => host.writeError(text)
    const ended = new AbortController()
    const stop = () => ended.abort()
    signal.addEventListener('abort', stop, { once: true })
    let input: Pipe | undefined
    const running = stages.map((stage, index) => {
      const last = index === stages.length - 1
      const output = last ? undefined : new Pipe()
      const from = stage.input === undefined ? input : singleText(stage.input)
      const before = input
      input = output
      const out =
        output === undefined
          ? (text: string) => host.write(text)
          : (text: string) => output.write(text)
      return this.runStage(stage, { input: from, out, err, signal: ended.signal }).finally(() => {
        output?.end()
        before?.close()
        // Stops a command whose reader has ended (`get -w | head`).
        if (last) stop()
      })
    })
    const codes = await Promise.all(running)
    signal.removeEventListener('abort', stop)
    return signal.aborted ? INTERRUPTED : (codes.at(-1) ?? 0)
  }

  private async runStage({ words }: Stage, streams: Streams): Promise<number> {
    const [first = '', ...rest] = words
    const filter: Filter | undefined = FILTERS.find(({ name }) => name === first)
    if (filter === undefined) return this.runKubectl(words, streams)
    try {
      return await filter.run(rest, { ...streams, host: this.options.host })
    } catch (error) {
      if (streams.signal.aborted) return INTERRUPTED
      streams.err(
        error instanceof Exit
          ? ''
          : `${first}: ${error instanceof Error ? error.message : String(error)}\n`,
      )
      return exitCodeOf(error)
    }
  }

  private async runKubectl(words: readonly string[], streams: Streams): Promise<number> {
    try {
      const named = commandOf(words)
      if (named === undefined) {
        streams.out(overview(COMMANDS))
        return 0
      }
      const { command, path, rest } = named
      const { args, beforeDashes, flags } = readFlags(command, GLOBAL_FLAGS, rest, path)
      if (flags.on('help')) {
        streams.out(helpOf(command, path))
        return 0
      }
      if (command.run === undefined) {
        if (args.length > 0)
          throw new CommandError(
            `unknown command ${JSON.stringify(args.join(' '))}\nSee '${path} -h' for help and examples`,
          )
        streams.out(helpOf(command, path))
        return 0
      }
      const context = this.contextOf(flags, streams)
      const code = await command.run(context, {
        command,
        path,
        args,
        beforeDashes,
        flags,
      } satisfies Invocation)
      const { warnings } = context.client
      if (warnings > 0 && flags.on('warnings-as-errors'))
        throw new CommandError(`${warnings} warning${warnings === 1 ? '' : 's'} received`)
      return code
    } catch (error) {
      if (streams.signal.aborted) return INTERRUPTED
      if (!(error instanceof Exit)) streams.err(errorText(error))
      return exitCodeOf(error)
    }
  }

  private contextOf(flags: FlagValues, { input, out, err, signal }: Streams): Context {
    const { host, clock, contexts } = this.options
    const current = contextOf(contexts, flags.text('context'))
    return {
      client: this.client(signal, flags, err),
      discovery: this.discovery,
      host,
      clock,
      contexts,
      namespace: flags.text('namespace') || current?.namespace || 'default',
      namespaceGiven: flags.has('namespace'),
      input,
      signal,
      out,
      err,
    }
  }
}

const contextOf = (contexts: Contexts, chosen = '') =>
  contexts.list().find(({ name }) => name === (chosen || contexts.current()))

/** After Ctrl-C. */
const INTERRUPTED = 130

/**
 * `kubectl` or `k` is optional, and flags can precede the command.
 * @returns undefined for a line without a command
 * @throws CommandError for an unknown command
 */
export function commandOf(words: readonly string[]): Named | undefined {
  if (words[0] === WHY.name) return { command: WHY, path: WHY.name, rest: words.slice(1) }
  const all = words[0] === 'kubectl' || words[0] === 'k' ? words.slice(1) : [...words]
  let commands: readonly Command[] = COMMANDS
  let found: Named | undefined
  const rest = [...all]
  for (;;) {
    const at = firstArgument(rest)
    const word = rest[at]
    if (word === undefined) return found
    const command = commands.find(
      ({ name, aliases = [] }) => name === word || aliases.includes(word),
    )
    if (command === undefined) {
      if (found !== undefined) return found
      throw new CommandError(unknownCommand(word))
    }
    rest.splice(at, 1)
    found = { command, path: `${found?.path ?? 'kubectl'} ${command.name}`, rest }
    if (command.commands === undefined) return found
    commands = command.commands
  }
}

/** Flags with values can precede: `-n kube-system get pods`. */
function firstArgument(words: readonly string[]): number {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (!word.startsWith('-')) return at
    const flag = GLOBAL_FLAGS.find(
      ({ name, short }) => word === `--${name}` || word === `-${short}`,
    )
    if (flag !== undefined && flag.type !== 'on') at++
  }
  return words.length
}

function unknownCommand(word: string): string {
  const near = COMMANDS.map(({ name }) => name).filter(
    (name) => distance(name, word) <= 2 || name.startsWith(word),
  )
  const hint =
    near.length === 0 ? '' : `\n\nDid you mean this?\n${near.map((name) => `\t${name}\n`).join('')}`
  return `unknown command ${JSON.stringify(word)} for "kubectl"${hint}`
}

/** The edit distance (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}

function impersonation(flags: FlagValues, contexts: Contexts): Record<string, string> {
  const user = flags.text('as')
  const groups = flags.list('as-group')
  const uid = flags.text('as-uid')
  if (user === '' && (groups.length > 0 || uid !== ''))
    throw new CommandError(
      `requesting uid, groups or user-extra for ${contextOf(contexts)?.user ?? ''} without impersonating a user`,
    )
  return {
    ...(user === '' ? {} : { 'Impersonate-User': user }),
    ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups.join(', ') }),
    ...(uid === '' ? {} : { 'Impersonate-Uid': uid }),
  }
}

/** @throws CommandError for an unknown context */
function contextFlag(flags: FlagValues | undefined, contexts: Contexts): { context?: string } {
  const name = flags?.text('context') ?? ''
  if (name === '') return {}
  if (contexts.list().every((one) => one.name !== name))
    throw new CommandError(`context ${JSON.stringify(name)} does not exist`)
  return { context: name }
}

function timeoutOf(flags: FlagValues): number {
  const text = flags.text('request-timeout')
  // Seconds by default.
  if (/^\d+$/.test(text)) return Number(text) * 1000
  return flags.duration('request-timeout')
}
