/**
 * Runs scripts in a worker of an opaque-origin frame. Its `fetch` reaches only the API of this
 * workspace. A script that blocks or floods the output is stopped.
 */
import { create } from 'zustand'
import { throttle } from '../../state/throttle'
import { openFrame, type SandboxFrame } from '../webhooks/open-frame'
import type { HandlerMessage } from '../webhooks/protocol'
import { scriptText } from './prelude'
import type { FromScript, Level, Line, ToScript } from './protocol'
import { ScriptRequests } from './requests'
import * as texts from './shell-texts'

export interface ConsoleLine {
  id: number
  level: Level
  text: string
}

interface ScriptState {
  lines: ConsoleLine[]
  dropped: number
  running: boolean
  run(source: string): Promise<void>
  stop(): void
  clear(): void
}

const KEPT_LINES = 5000
const PACE = { leadingMs: 16, intervalMs: 100 }
const LONGEST_LINE = 100_000
/** Interval and timeout of the health check, in milliseconds. */
const PATIENCE = { every: 2_000, atMost: 10_000 }

const NAME = 'script'
let lastId = 0
/** Messages of an earlier run are ignored. */
let run: Run | undefined

class Run {
  private frame: SandboxFrame | undefined
  private ended = false
  private lastCall = 0
  private readonly calls = new Map<number, { taken(): void; since: number }>()
  private readonly requests = new ScriptRequests((message) => this.send(message))
  private readonly heartbeat = setInterval(() => this.look(), PATIENCE.every)

  constructor(
    private readonly text: string,
    private readonly print: (lines: Line[]) => void,
    private readonly finished: () => void,
  ) {}

  async begin(): Promise<void> {
    const frame = await openFrame(
      texts.sandbox,
      (message) => this.heard(message),
      () => this.end({ level: 'error', text: texts.killed }),
    )
    if (this.ended) {
      frame.close()
      return
    }
    this.frame = frame
    void this.send({ kind: 'start' })
  }

  /** @param why printed; absent: the script has finished */
  end(why?: Line): void {
    if (this.ended) return
    this.ended = true
    clearInterval(this.heartbeat)
    this.requests.abortAll()
    this.frame?.close()
    for (const { taken } of this.calls.values()) taken()
    if (why) this.print([why])
    this.finished()
  }

  /** Resolves when the script has received the message or has ended. */
  private send(request: ToScript): Promise<void> {
    if (this.ended) return Promise.resolve()
    const id = ++this.lastCall
    return new Promise((taken) => {
      this.calls.set(id, { taken, since: performance.now() })
      this.frame?.post({
        kind: 'call',
        id,
        name: NAME,
        code: this.text,
        request,
        milliseconds: 2 * PATIENCE.atMost,
      })
    })
  }

  private heard(message: HandlerMessage): void {
    if (this.ended) return
    switch (message.kind) {
      case 'line':
        this.print([{ level: message.level, text: message.text }])
        break
      case 'failed':
        this.end({ level: 'error', text: texts.ended })
        break
      case 'chunk':
        this.received(JSON.parse(message.text) as FromScript)
        break
      default:
        this.calls.get(message.id)?.taken()
        this.calls.delete(message.id)
    }
  }

  private received(message: FromScript): void {
    if (message.kind === 'lines') this.print(message.lines)
    else if (message.kind === 'request') void this.requests.request(message)
    else if (message.kind === 'abort') this.requests.abort(message.request)
    else if (message.kind === 'flood') this.end({ level: 'error', text: texts.tooMuch })
    else this.end()
  }

  private look(): void {
    const oldest = Math.min(...[...this.calls.values()].map(({ since }) => since))
    if (performance.now() - oldest > PATIENCE.atMost)
      this.end({
        level: 'error',
        text: texts.unresponsive(PATIENCE.atMost / 1000),
      })
    else if (this.calls.size === 0) void this.send({ kind: 'ping' })
  }
}

export const useScripts = create<ScriptState>((set, get) => {
  let waiting: ConsoleLine[] = []
  const { schedule } = throttle(() => {
    const printed = waiting
    waiting = []
    set(({ lines, dropped }) => {
      const all = [...lines, ...printed]
      return {
        lines: all.slice(-KEPT_LINES),
        dropped: dropped + Math.max(0, all.length - KEPT_LINES),
      }
    })
  }, PACE)
  const print = (lines: Line[]) => {
    for (const { level, text } of lines)
      waiting.push({ id: ++lastId, level, text: text.slice(0, LONGEST_LINE) })
    schedule()
  }
  return {
    lines: [],
    dropped: 0,
    running: false,
    async run(source) {
      if (get().running) return
      set({ running: true })
      try {
        const { transpile } = await import('./transpile')
        run = new Run(scriptText(await transpile(source)), print, () => set({ running: false }))
        await run.begin()
      } catch (error) {
        print([
          {
            level: 'error',
            text: texts.notCompiled(error instanceof Error ? error.message : String(error)),
          },
        ])
        set({ running: false })
      }
    },
    stop() {
      run?.end({ level: 'info', text: texts.stopped })
    },
    clear() {
      waiting = []
      set({ lines: [], dropped: 0 })
    },
  }
})
