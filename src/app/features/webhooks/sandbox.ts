import type { CallMessage, HandlerCall } from '../../../hosts/shared/handlers'
import { useHandlerCalls } from './handler-calls'
import { workerText } from './inside'
import { openFrame, type SandboxFrame } from './open-frame'
import type { HandlerMessage, HandlerRequest, ToFrame } from './protocol'

/** Timeout of a response's start; the caller's may be shorter. */
const MILLISECONDS = 10_000

type OnMessage = (message: CallMessage) => void

interface Waiting {
  name: string
  onMessage: OnMessage
}

let frame: Promise<SandboxFrame> | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

/** @returns cancels the call */
export function callInSandbox(call: HandlerCall, onMessage: OnMessage): () => void {
  const id = ++lastId
  const { handler } = call
  const log = useHandlerCalls.getState()
  const entry = log.begin(handler.name, call)
  waiting.set(id, {
    name: handler.name,
    onMessage: (message) => {
      useHandlerCalls.getState().update(entry, message)
      if (message.kind === 'end' || message.kind === 'failed') waiting.delete(id)
      onMessage(message)
    },
  })
  const post = (message: ToFrame) => void theFrame().then((opened) => opened.post(message))
  post({
    kind: 'call',
    id,
    name: handler.name,
    code: workerText(handler.code),
    request: requestOf(call),
    milliseconds: MILLISECONDS,
  })
  return () => {
    if (!waiting.delete(id)) return
    useHandlerCalls.getState().update(entry, { kind: 'failed', message: 'caller timed out' })
    post({ kind: 'cancel', id })
  }
}

function requestOf({ method, url, headers, body }: HandlerCall): HandlerRequest {
  const { pathname, searchParams } = new URL(url)
  return { method, path: pathname, query: Object.fromEntries(searchParams), headers, body }
}

function theFrame(): Promise<SandboxFrame> {
  frame ??= openFrame('Sandbox of webhooks', heard, frameEnded)
  return frame
}

/** Pending calls fail; the next call opens a new frame. */
function frameEnded(): void {
  frame = undefined
  const lost = [...waiting.values()]
  for (const name of new Set(lost.map((one) => one.name)))
    useHandlerCalls
      .getState()
      .print(name, 'error', 'the browser killed the webhook sandbox (out of memory)')
  for (const { onMessage } of lost) onMessage({ kind: 'failed', message: 'EOF' })
}

function heard(message: HandlerMessage): void {
  if (message.kind === 'line') {
    useHandlerCalls.getState().print(message.name, message.level, message.text)
    return
  }
  const { id, ...rest } = message
  waiting.get(id)?.onMessage(rest)
}
