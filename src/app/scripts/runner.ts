/** Scripts run in a worker of their own: `fetch` reaches the API, the page and its storage stay out of reach. */
import { create } from 'zustand'
import { CLIENT_HEADER } from '../../engine/names'
import { BASE } from '../base'
import { useActors } from '../state/actors'

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

const KEPT = 2000
let lastId = 0
let worker: Worker | undefined

export const useScripts = create<ScriptState>((set) => {
  const print = (level: ConsoleLine['level'], text: string) =>
    set(({ lines }) => ({ lines: [...lines.slice(-KEPT + 1), { id: ++lastId, level, text }] }))
  const finish = () => {
    worker?.terminate()
    worker = undefined
    set({ running: false })
  }
  return {
    lines: [],
    running: false,
    async run(source) {
      worker?.terminate()
      set({ running: true })
      let code: string
      try {
        const { transpile } = await import('./transpile')
        code = await transpile(source)
      } catch (error) {
        print('error', `the script does not compile: ${error instanceof Error ? error.message : String(error)}`)
        set({ running: false })
        return
      }
      const { actor } = useActors.getState()
      const url = URL.createObjectURL(new Blob([prelude(actor.token), code, POSTLUDE], { type: 'text/javascript' }))
      worker = new Worker(url, { name: 'script' })
      worker.onmessage = ({ data }: MessageEvent<{ kind: 'line'; level: ConsoleLine['level']; text: string } | { kind: 'done' }>) => {
        if (data.kind === 'line') print(data.level, data.text)
        else finish()
      }
      worker.onerror = (event) => {
        print('error', `${event.message}${event.lineno ? ` (line ${event.lineno})` : ''}`)
        finish()
      }
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    },
    stop() {
      if (worker) print('info', 'stopped')
      finish()
    },
    clear: () => set({ lines: [] }),
  }
})

/** What surrounds a script: the console comes here, paths are the API's, and the actor's credential goes along by itself. */
function prelude(token: string | undefined): string {
  return `const $base = ${JSON.stringify(new URL(BASE, location.href).href)};
const $token = ${JSON.stringify(token ?? null)};
const $show = (value) => typeof value === 'string' ? value : value instanceof Error ? (value.stack ?? value.message) : JSON.stringify(value, null, 2) ?? String(value);
for (const level of ['log', 'info', 'warn', 'error']) console[level] = (...values) => postMessage({ kind: 'line', level, text: values.map($show).join(' ') });
const $fetch = self.fetch.bind(self);
self.fetch = (input, init = {}) => {
  if (typeof input !== 'string') return $fetch(input, init);
  const headers = new Headers(init.headers);
  if ($token && !headers.has('authorization')) headers.set('authorization', 'Bearer ' + $token);
  headers.set(${JSON.stringify(CLIENT_HEADER)}, headers.get(${JSON.stringify(CLIENT_HEADER)}) ?? 'script');
  return $fetch(new URL(input.replace(/^\\//, ''), $base), { ...init, headers });
};
(async () => {
`
}

const POSTLUDE = `
})().then(() => postMessage({ kind: 'done' }), (error) => { console.error(error); postMessage({ kind: 'done' }) });
`
