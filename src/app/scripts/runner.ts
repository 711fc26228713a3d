/** Scripts run in a worker of their own: `fetch` reaches the API, the page and its storage stay out of reach. */
import { create } from 'zustand'
import { credentialHeaders } from '../credentials'
import { useActors } from '../state/actors'
import { useRequests } from '../state/requests'
import { API_BASE } from '../workspace'
import { type FromScript, type ScriptSetup, scriptPrelude } from './prelude'

export interface ConsoleLine {
  id: number
  level: 'log' | 'warn' | 'error' | 'info'
  text: string
}

interface ScriptState {
  lines: ConsoleLine[]
  running: boolean
  run(source: string): Promise<void>
  stop(): void
  clear(): void
}

const KEPT_LINES = 5000
let lastId = 0
let worker: Worker | undefined

export const useScripts = create<ScriptState>((set, get) => {
  const print = (level: ConsoleLine['level'], text: string) =>
    set(({ lines }) => ({ lines: [...lines.slice(-KEPT_LINES + 1), { id: ++lastId, level, text }] }))
  const finish = () => {
    worker?.terminate()
    worker = undefined
    set({ running: false })
  }

  function start(code: string): void {
    const { actor } = useActors.getState()
    const setup: ScriptSetup = { base: new URL(API_BASE, location.href).href, credential: credentialHeaders(actor) }
    const url = URL.createObjectURL(new Blob([scriptPrelude(setup), code, POSTLUDE], { type: 'text/javascript' }))
    worker = new Worker(url, { name: 'script' })
    const log = requestLog(actor.name)
    worker.onmessage = ({ data }: MessageEvent<FromScript>) => {
      if (data.kind === 'line') print(data.level, data.text)
      else if (data.kind === 'done') finish()
      else log(data)
    }
    worker.onerror = (event) => {
      print('error', event.message)
      finish()
    }
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }

  return {
    lines: [],
    running: false,
    async run(source) {
      if (get().running) return
      set({ running: true })
      try {
        const { transpile } = await import('./transpile')
        start(await transpile(source))
      } catch (error) {
        print('error', `The script does not compile: ${error instanceof Error ? error.message : String(error)}`)
        set({ running: false })
      }
    },
    stop() {
      if (worker) print('info', 'Stopped.')
      finish()
    },
    clear: () => set({ lines: [] }),
  }
})

/** Puts what a script asks into the log of requests. */
function requestLog(who: string): (message: Extract<FromScript, { kind: 'request' | 'response' }>) => void {
  const ids = new Map<number, number>()
  return (message) => {
    const { add, update } = useRequests.getState()
    if (message.kind === 'request') {
      const { method, path, headers, body } = message
      ids.set(
        message.id,
        add({ at: Date.now(), method, path, who, origin: 'script', headers, open: true, ...(body === undefined ? {} : { body }) }),
      )
      return
    }
    const { kind: _kind, id, ...change } = message
    update(ids.get(id) ?? 0, change)
  }
}

const POSTLUDE = `
})().then(() => postMessage({ kind: 'done' }), (error) => { console.error(error); postMessage({ kind: 'done' }) })
`
