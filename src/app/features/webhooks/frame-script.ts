/**
 * The only script in the webhook frame: runs each handler in its own worker, and ends slow ones.
 * May import types only.
 */
import type { FromFrame, HandlerMessage, ToFrame } from './protocol'

interface Running {
  text: string
  worker: Worker
  /** The call without response headers yet. */
  current: { id: number; timer: ReturnType<typeof setTimeout> } | undefined
  waiting: Extract<ToFrame, { kind: 'call' }>[]
  streaming: Set<number>
}
const running = new Map<string, Running>()
let port: MessagePort | undefined
const send = (message: FromFrame) => port?.postMessage(message)

function end(name: string, why: string): void {
  const found = running.get(name)
  if (found === undefined) return
  found.worker.terminate()
  running.delete(name)
  const ids = [...found.streaming, ...(found.current ? [found.current.id] : [])]
  clearTimeout(found.current?.timer)
  for (const id of ids) send({ kind: 'failed', id, message: why })
  for (const call of found.waiting) begin(call)
}

function workerOf(name: string, text: string): Running {
  const known = running.get(name)
  if (known?.text === text) return known
  end(name, 'EOF')
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  const made: Running = {
    text,
    worker: new Worker(url, { name }),
    current: undefined,
    waiting: [],
    streaming: new Set(),
  }
  running.set(name, made)
  made.worker.onmessage = ({ data }: MessageEvent<HandlerMessage>) => fromWorker(name, made, data)
  made.worker.onerror = (event) => {
    event.preventDefault()
    send({ kind: 'line', name, level: 'error', text: event.message || 'the code cannot be run' })
    end(name, 'EOF')
  }
  return made
}

function fromWorker(name: string, found: Running, message: HandlerMessage): void {
  if (message.kind === 'line') {
    send({ ...message, name })
    return
  }
  if (message.kind === 'head' && found.current?.id === message.id) {
    clearTimeout(found.current.timer)
    found.current = undefined
    found.streaming.add(message.id)
  }
  if (!found.streaming.has(message.id)) return
  send(message)
  if (message.kind === 'end') found.streaming.delete(message.id)
  next(name, found)
}

function next(name: string, found: Running): void {
  if (found.current !== undefined) return
  const call = found.waiting.shift()
  if (call === undefined) return
  const { id, request, milliseconds } = call
  const timer = setTimeout(() => {
    send({
      kind: 'line',
      name,
      level: 'error',
      text: `stopped: no response for ${milliseconds / 1000} seconds`,
    })
    end(name, 'EOF')
  }, milliseconds)
  found.current = { id, timer }
  found.worker.postMessage({ id, request })
}

function begin(call: Extract<ToFrame, { kind: 'call' }>): void {
  const found = workerOf(call.name, call.code)
  found.waiting.push(call)
  next(call.name, found)
}

function cancel(id: number): void {
  for (const [name, found] of running) {
    found.waiting = found.waiting.filter((call) => call.id !== id)
    found.streaming.delete(id)
    // This caller gave up; calls queued after it continue.
    if (found.current?.id === id) end(name, 'EOF')
  }
}

addEventListener('message', (event) => {
  if (event.source !== parent || port !== undefined) return
  port = event.ports[0]
  if (port === undefined) return
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.kind === 'call') begin(data)
    else if (data.kind === 'cancel') cancel(data.id)
    else send({ kind: 'here' })
  }
})
