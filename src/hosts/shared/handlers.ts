/**
 * Servers that a person writes in the page in JavaScript: webhooks and API servers of the cluster. The engine calls them as it
 * would call others over the network; they run in a page, which may be another thread than the engine's, or not be open at all.
 */

export interface Handler {
  name: string
  /** `https://host/path`, which the requests' addresses begin with, or `namespace/name` of a service. */
  address: string
  /** As it was written: TypeScript or JavaScript. */
  source: string
  /** As it runs. */
  code: string
  /** It came with a shared link and is switched off: who sent it, as far as the link says. Nobody calls it. */
  from?: string
}

/** A request for a handler. */
export interface HandlerCall {
  handler: Handler
  method: string
  url: string
  headers: Record<string, string>
  /** Empty: there is none. */
  body: string
}

/** What comes of a call: an answer piece by piece, or why there is none. */
export type CallMessage =
  | { kind: 'head'; status: number; headers: Record<string, string> }
  | { kind: 'chunk'; text: string }
  | { kind: 'end' }
  | { kind: 'failed'; message: string }

/** What a page says of a call that it is offered: whether it takes it, then what comes of it. */
export type PageReply = { kind: 'taken' } | { kind: 'declined' } | CallMessage

/** Brings a call to whoever runs handlers. @returns how to say that nobody waits any more */
export type CallHandlers = (call: HandlerCall, tell: (message: CallMessage) => void) => () => void

/** No page is open that could run a handler. */
export const NO_HANDLERS: CallHandlers = (_, tell) => {
  tell({ kind: 'failed', message: CONNECTION_REFUSED })
  return () => {}
}

/** How a call fails that nobody takes: as one of a server that does not run. */
export const CONNECTION_REFUSED = 'connection refused'

interface Called {
  url: string
  service?: { namespace: string; name: string }
}

/** The handler that listens where a request goes: that of its service, or of the longest address that its own begins with. */
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
  const [listens, asked] = [new URL(address), new URL(url)]
  const path = listens.pathname.replace(/\/$/, '')
  return (
    listens.origin === asked.origin &&
    (asked.pathname === path || asked.pathname.startsWith(`${path}/`))
  )
}
