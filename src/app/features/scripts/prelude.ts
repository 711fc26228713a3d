/**
 * Surrounds a script in its worker, which has no origin, storage or network (webhooks/frame.ts).
 * Output and requests go to the page, which adds the credential.
 */
import type { FromScript, Line, ToScript } from './protocol'

/** Per second. */
const MOST_LINES = 20_000

/** Concurrent requests, including watches. */
const MOST_REQUESTS = 500

/** @param code JavaScript @param lines the source line of each line of `code` */
export function scriptText({ code, lines }: { code: string; lines: readonly number[] }): string {
  const text = (begins: number) =>
    `(${surround})(${JSON.stringify({ lines: MOST_LINES, requests: MOST_REQUESTS })}, ${JSON.stringify({ begins, lines })}, async () => {\n`
  return `${text(text(0).split('\n').length)}${code}\n});`
}

interface Places {
  begins: number
  lines: readonly number[]
}

/** Runs in the worker, so it cannot reference anything outside this function. */
function surround(
  most: { lines: number; requests: number },
  places: Places,
  script: () => Promise<void>,
): void {
  // Captured before the script can replace them.
  const { stringify } = JSON
  const now = performance.now.bind(performance)
  const later = setTimeout.bind(self)
  const post = (self as unknown as Worker).postMessage.bind(self)
  /** Id of the call that runs the script. */
  let whole = 0
  const send = (message: FromScript) => post({ kind: 'chunk', id: whole, text: stringify(message) })

  let lines: Line[] = []
  let printed = 0
  let second = now()
  const flush = () => {
    if (lines.length > 0) send({ kind: 'lines', lines })
    lines = []
  }
  const print = (line: Line) => {
    if (now() - second > 1000) {
      second = now()
      printed = 0
    }
    if (++printed > most.lines) {
      if (printed === most.lines + 1) send({ kind: 'flood' })
      throw new Error('too many lines')
    }
    if (lines.length === 0) later(flush, 0)
    lines.push(line)
    if (lines.length >= 500) flush()
  }
  const lineOf = ({ stack = '', message }: Error): string => {
    for (const [, line] of stack.slice(stack.indexOf(message)).matchAll(/:(\d+):\d+\)?$/gm)) {
      const own = places.lines[Number(line) - places.begins]
      if (own !== undefined) return ` (line ${own})`
    }
    return ''
  }
  const shown = (value: unknown): string => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}${lineOf(value)}`
    if (value instanceof Map || value instanceof Set)
      return `${value.constructor.name} ${shown([...value])}`
    try {
      return stringify(value, null, 2) ?? String(value)
    } catch {
      return String(value)
    }
  }
  for (const level of ['log', 'info', 'warn', 'error'] as const)
    console[level] = (...values: unknown[]) => print({ level, text: values.map(shown).join(' ') })

  interface Waiting {
    onResponse(response: Response): void
    failed(error: unknown): void
    body: ReadableStreamDefaultController<Uint8Array> | undefined
  }
  const waiting = new Map<number, Waiting>()
  let lastRequest = 0

  /** Statuses without a body (Fetch standard). */
  const BODILESS = [101, 204, 205, 304]

  const heard: {
    [Kind in ToScript['kind']]: (message: Extract<ToScript, { kind: Kind }>) => void
  } = {
    start: () => {
      script()
        .catch((error: unknown) => console.error(error))
        .then(() => {
          flush()
          send({ kind: 'done' })
        })
    },
    ping: () => undefined,
    head: ({ request, status, statusText, headers }) => {
      const found = waiting.get(request)
      if (found === undefined) return
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          found.body = controller
        },
        cancel: () => {
          if (waiting.delete(request)) send({ kind: 'abort', request })
        },
      })
      const body = BODILESS.includes(status) ? null : (stream as unknown as BodyInit)
      found.onResponse(new Response(body, { status, statusText, headers }))
    },
    body: ({ request, bytes }) => waiting.get(request)?.body?.enqueue(bytes),
    end: ({ request }) => {
      waiting.get(request)?.body?.close()
      waiting.delete(request)
    },
    failed: ({ request, message }) => {
      const found = waiting.get(request)
      const error = new TypeError(message)
      if (found?.body) found.body.error(error)
      else found?.failed(error)
      waiting.delete(request)
    },
  }

  self.fetch = async (input, init) => {
    // The base of relative paths: the worker has none.
    const place = 'http://cluster'
    const requests = new Request(
      typeof input === 'string' && input.startsWith('/') ? place + input : input,
      init,
    )
    const { origin, pathname, search } = new URL(requests.url)
    if (origin !== place)
      throw new TypeError(
        `a script can only fetch API paths of its own cluster, such as /api/v1/pods: ${requests.url}`,
      )
    if (waiting.size >= most.requests)
      throw new TypeError(`${most.requests} requests are waiting already`)
    const request = ++lastRequest
    const body = requests.body === null ? {} : { body: await requests.text() }
    requests.signal.throwIfAborted()
    return new Promise<Response>((onResponse, failed) => {
      waiting.set(request, { onResponse, failed, body: undefined })
      requests.signal.addEventListener('abort', () => {
        const found = waiting.get(request)
        if (!waiting.delete(request)) return
        send({ kind: 'abort', request })
        if (found?.body) found.body.error(requests.signal.reason)
        else failed(requests.signal.reason)
      })
      send({
        kind: 'request',
        request,
        method: requests.method,
        path: pathname + search,
        headers: [...requests.headers],
        ...body,
      })
    })
  }

  self.onmessage = ({ data }: MessageEvent<{ id: number; request: ToScript }>) => {
    const { id, request } = data
    post({ kind: 'head', id, status: 200, headers: {} })
    if (request.kind === 'start') whole = id
    else post({ kind: 'end', id })
    const message = request as never
    heard[request.kind](message)
  }
  self.onunhandledrejection = ({ reason }) => console.error(reason)
  // Leaves console and fetch as the only channels.
  Object.defineProperty(self, 'postMessage', { value: undefined })
  Object.defineProperty(Object.getPrototypeOf(self), 'postMessage', { value: undefined })
}
