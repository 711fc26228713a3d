import type { Pod } from '../../kinds/core/pod-types'
import type { Engine } from '../../registry/engine'
import { type LogLine, linesOf, nextLineAt, type Run } from '../../simulation/log-lines'
import type { StoredObject } from '../../storage/storage'
import type { ApiResponse, StreamSink } from '../messages'
import { flag, integer } from '../options'
import type { Query } from '../query'
import { badRequest } from '../status'
import {
  runOf,
  type SimulatedContainer,
  simulatedContainer,
  statusOf,
} from './simulated-containers'

interface LogOptions {
  follow: boolean
  timestamps: boolean
  tailLines: number | undefined
  limitBytes: number
  /** Milliseconds. */
  since: number
}

/** @throws ApiError 400 before the container starts, or without a previous run */
export async function simulatedLog(
  engine: Engine,
  pod: Pod,
  name: string,
  query: Query,
  key: string,
): Promise<ApiResponse> {
  const previous = flag(query, 'previous') ?? false
  const status = statusOf(pod, name)
  const run = runOf(status, previous)
  if (run === undefined) {
    if (previous)
      throw badRequest(
        `previous terminated container "${name}" in pod "${pod.metadata.name}" not found`,
      )
    const reason = status?.state?.waiting?.reason ?? 'ContainerCreating'
    throw badRequest(
      `container "${name}" in pod "${pod.metadata.name}" is waiting to start: ${reason}`,
    )
  }
  const container = await simulatedContainer(engine, pod, name, previous)
  const options = optionsOf(query, engine.clock.now())
  const headers = { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' }
  const lines = linesOf(container.sayings, container.names, run, options.since, engine.clock.now())
  const tail =
    options.tailLines === undefined
      ? lines
      : options.tailLines === 0
        ? []
        : lines.slice(-options.tailLines)
  const writer = new LogWriter(options)
  const text = writer.text(tail)
  if (!options.follow || run.ended !== undefined || writer.full)
    return { status: 200, headers, messages: 'bytes', body: text }
  const start = (sink: StreamSink) =>
    new Following(engine, container, run, writer, sink).start(text, key)
  return { status: 200, headers, messages: 'bytes', body: { start } }
}

/**
 * The output from now on, until the container ends.
 * @returns starts it, and returns a function that stops it
 */
export async function followedOutput(
  engine: Engine,
  pod: Pod,
  name: string,
  run: Run,
  key: string,
) {
  const container = await simulatedContainer(engine, pod, name)
  const writer = new LogWriter({ timestamps: false, limitBytes: Number.POSITIVE_INFINITY })
  return (sink: StreamSink): (() => void) =>
    new Following(engine, container, run, writer, sink).start('', key)
}

function optionsOf(query: Query, now: number): LogOptions {
  const seconds = integer(query.get('sinceSeconds'))
  const time = query.get('sinceTime')
  return {
    follow: flag(query, 'follow') ?? false,
    timestamps: flag(query, 'timestamps') ?? false,
    tailLines: integer(query.get('tailLines')),
    limitBytes: integer(query.get('limitBytes')) ?? Number.POSITIVE_INFINITY,
    since:
      seconds !== undefined
        ? now - seconds * 1000
        : time
          ? Date.parse(time) - 1
          : Number.NEGATIVE_INFINITY,
  }
}

/** Up to `limitBytes` in all. */
class LogWriter {
  private left: number

  constructor(private readonly options: Pick<LogOptions, 'timestamps' | 'limitBytes'>) {
    this.left = options.limitBytes
  }

  get full(): boolean {
    return this.left <= 0
  }

  text(lines: readonly LogLine[]): string {
    const whole = lines
      .map(({ at, text }) => `${this.options.timestamps ? `${nanoseconds(at)} ` : ''}${text}\n`)
      .join('')
    const bytes = new TextEncoder().encode(whole)
    const kept =
      bytes.length <= this.left ? whole : new TextDecoder().decode(bytes.subarray(0, this.left))
    this.left -= bytes.length
    return kept
  }
}

/** `2026-01-01T00:00:00.000000000Z` */
const nanoseconds = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}000000Z`

class Following {
  private sentUntil: number
  private callOff = (): void => {}
  private stopWatching = (): void => {}
  private pod: Pod | undefined
  private isStale = false
  private open = true

  constructor(
    private readonly engine: Engine,
    private container: SimulatedContainer,
    private readonly run: Run,
    private readonly writer: LogWriter,
    private readonly sink: StreamSink,
  ) {
    this.sentUntil = engine.clock.now()
  }

  start(text: string, key: string): () => void {
    const { storage } = this.engine
    if (text !== '') this.sink.write(text)
    const watcher = storage.watch(key, storage.currentRevision(), {
      event: ({ type, current }) => this.look(type === 'DELETED' ? undefined : current),
      end: () => this.end(),
    })
    const { listeners } = this.journal
    const goOn = () => void this.refresh()
    listeners.add(goOn)
    this.stopWatching = () => {
      watcher.stop()
      listeners.delete(goOn)
    }
    this.wait()
    return () => this.stop()
  }

  private get journal() {
    const { pod, name, restarts } = this.container
    return this.engine.simulation.of(pod).journalOf(name, restarts)
  }

  /** Shows what the program prints after another use of the network. */
  private async refresh(): Promise<void> {
    if (this.isStale) return
    this.isStale = true
    await this.readProgram()
    this.isStale = false
    if (!this.open) return
    this.callOff()
    this.send(this.engine.clock.now())
    this.wait()
  }

  private async readProgram(): Promise<void> {
    const { name, restarts, pod } = this.container
    const current = this.pod ?? (pod as Pod)
    const hasRestarted = (statusOf(current, name)?.restartCount ?? 0) > restarts
    const found = await simulatedContainer(this.engine, current, name, hasRestarted)
    if (found.restarts === restarts) this.container = found
  }

  private look(current: StoredObject | undefined): void {
    const run = current && runOf(statusOf(current.object as Pod, this.container.name), false)
    this.pod = (current?.object as Pod | undefined) ?? this.pod
    if (run?.ended === undefined && run?.began === this.run.began) return
    const end = run?.ended ?? this.engine.clock.now()
    void this.readProgram().then(() => {
      if (this.open) this.send(end)
      this.end()
    })
  }

  private send(until: number): void {
    const { sayings, names } = this.container
    const text = this.writer.text(linesOf(sayings, names, this.run, this.sentUntil, until))
    this.sentUntil = until
    if (text !== '') this.sink.write(text)
    if (this.writer.full) this.end()
  }

  private wait(): void {
    const { clock } = this.engine
    const next = nextLineAt(this.container.sayings, this.run, this.sentUntil)
    if (next === undefined || !this.open) return
    this.callOff = clock.after(next - clock.now(), () => {
      this.send(clock.now())
      this.wait()
    })
  }

  private end(): void {
    if (!this.open) return
    this.stop()
    this.sink.end()
  }

  private stop(): void {
    this.open = false
    this.callOff()
    this.stopWatching()
  }
}
