/**
 * Webhooks and API servers that a user writes in the page. They run in a page, possibly another
 * thread than the engine's, or not open.
 */

export interface Handler {
  name: string
  /** `https://host/path`, a URL prefix, or `namespace/name` of a service. */
  address: string
  /** TypeScript or JavaScript. */
  source: string
  /** The compiled JavaScript. */
  code: string
  /** The sender of a link that brought it; such a handler is disabled. */
  from?: string
}

export interface HandlerCall {
  handler: Handler
  method: string
  url: string
  headers: Record<string, string>
  /** Empty without a body. */
  body: string
}

/** A response in chunks, or an error. */
export type CallMessage =
  | { kind: 'head'; status: number; headers: Record<string, string> }
  | { kind: 'chunk'; text: string }
  | { kind: 'end' }
  | { kind: 'failed'; message: string }

/** Whether the page takes the call, then its messages. */
export type PageReply = { kind: 'taken' } | { kind: 'declined' } | CallMessage

/** @returns cancels the call */
export type CallHandlers = (call: HandlerCall, reply: (message: CallMessage) => void) => () => void

export const NO_HANDLERS: CallHandlers = (_, reply) => {
  reply({ kind: 'failed', message: CONNECTION_REFUSED })
  return () => {}
}

/** The error of a call that no page accepts. */
export const CONNECTION_REFUSED = 'connection refused'

interface Called {
  url: string
  service?: { namespace: string; name: string }
}

/** By service, or by the longest matching address. */
export function handlerAt(all: readonly Handler[], { url, service }: Called): Handler | undefined {
  const handlers = all.filter(({ from }) => from === undefined)
  const behind =
    service && handlers.find(({ address }) => address === `${service.namespace}/${service.name}`)
  if (behind !== undefined) return behind
  const fitting = handlers.filter(
    ({ address }) => address.startsWith('https://') && covers(address, url),
  )
  return fitting.sort((a, b) => b.address.length - a.address.length)[0]
}

function covers(address: string, url: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(url)) return false
  const [listens, requested] = [new URL(address), new URL(url)]
  const path = listens.pathname.replace(/\/$/, '')
  return (
    listens.origin === requested.origin &&
    (requested.pathname === path || requested.pathname.startsWith(`${path}/`))
  )
}
