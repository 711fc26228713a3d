/** What surrounds a script in its worker: its console and its requests come to the page, and the actor's credential goes along. */
import { CLIENT_HEADER } from '../../engine/names'

export interface ScriptSetup {
  /** Address of the page: the API's paths are below it. */
  base: string
  /** Headers by which the server recognizes the actor. */
  credential: Record<string, string>
}

/** What a script's worker tells the page. Credentials never come along. */
export type FromScript =
  | { kind: 'line'; level: 'log' | 'warn' | 'error' | 'info'; text: string }
  | { kind: 'request'; id: number; method: string; path: string; headers: Record<string, string>; body?: string }
  | {
      kind: 'response'
      id: number
      status?: number
      responseHeaders?: Record<string, string>
      response?: string
      failure?: string
      milliseconds: number
      open: boolean
    }
  | { kind: 'done' }

/** Ends inside an async function whose body is the script. */
export function scriptPrelude(setup: ScriptSetup): string {
  return `(${surround})(${JSON.stringify({ ...setup, clientHeader: CLIENT_HEADER })});(async () => {\n`
}

/** Runs in the worker: it may use nothing from outside its own text. */
function surround({ base, credential, clientHeader }: ScriptSetup & { clientHeader: string }): void {
  const shown = (value: unknown): string => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}`
    try {
      return JSON.stringify(value, null, 2) ?? String(value)
    } catch {
      return String(value)
    }
  }
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    console[level] = (...values: unknown[]) => postMessage({ kind: 'line', level, text: values.map(shown).join(' ') })
  }

  const shownCredential = (value: string): string => (value.startsWith('Bearer ') ? 'Bearer ••••••' : '••••••')
  const browserFetch = self.fetch.bind(self)
  let lastId = 0
  self.fetch = async (input, init) => {
    const target = typeof input === 'string' && input.startsWith('/') ? new URL(input.slice(1), base) : input
    const request = new Request(target, init)
    const url = new URL(request.url)
    if (!request.url.startsWith(base) && url.origin !== new URL(base).origin) return browserFetch(request)
    const id = ++lastId
    const started = performance.now()
    const tell = (change: object) =>
      postMessage({ kind: 'response', id, milliseconds: performance.now() - started, open: false, ...change })
    const given = Object.entries(credential)
    if (!request.headers.has('authorization')) for (const [name, value] of given) request.headers.set(name, value)
    const secret = ['authorization', ...given.map(([name]) => name.toLowerCase())]
    const headers = Object.fromEntries(
      [...request.headers].map(([name, value]) => [name, secret.includes(name) ? shownCredential(value) : value]),
    )
    if (!request.headers.has(clientHeader)) request.headers.set(clientHeader, 'script')
    const path = url.pathname.replace(new URL(base).pathname, '/') + url.search
    const body = request.body === null ? {} : { body: await request.clone().text() }
    postMessage({ kind: 'request', id, method: request.method, path, headers, ...body })
    try {
      const response = await browserFetch(request)
      const answer = { status: response.status, responseHeaders: Object.fromEntries(response.headers) }
      if (response.ok && url.searchParams.has('watch')) tell(answer)
      else
        void response
          .clone()
          .text()
          .then(
            (text) => tell({ ...answer, response: text }),
            () => tell(answer),
          )
      return response
    } catch (error) {
      tell({ failure: error instanceof Error ? error.message : String(error) })
      throw error
    }
  }
}
