import { headerAsWritten } from '../shared/text-of-header'
import {
  BRIDGE_PATH,
  type BridgeOffer,
  type FromServer,
  type FromTab,
  pieceOf,
  REPLACED,
  type RequestHead,
  readPiece,
} from './frames'

/** The lock of the connecting tab; another tab gets it when that tab closes. */
const LOCK = 'kubetab-bridge'
const AGAIN_MILLISECONDS = 2000

/**
 * Connects to the bridge of the page's server, if any.
 * @param base path of the page, ending with `/`
 * @param onChange called with whether programs can reach this tab
 */
export async function carryBridge(
  base: string,
  onChange: (connected: boolean) => void,
): Promise<void> {
  const offer = await offerOf(base)
  if (offer === undefined) return
  const carry = () => new Promise<never>(() => void connect(base, offer, onChange))
  // Absent over plain HTTP from another machine, where there is no bridge.
  const locks: LockManager | undefined = navigator.locks
  await (locks ? locks.request(LOCK, carry) : carry())
}

/** Static hosts have no bridge, which is not an error. */
async function offerOf(base: string): Promise<BridgeOffer | undefined> {
  try {
    const response = await fetch(base + BRIDGE_PATH, { headers: { accept: 'application/json' } })
    if (!response.ok || !response.headers.get('content-type')?.includes('json')) return undefined
    return (await response.json()) as BridgeOffer
  } catch {
    return undefined
  }
}

function connect(
  base: string,
  { token }: BridgeOffer,
  onChange: (connected: boolean) => void,
): void {
  const address = new URL(`${base}${BRIDGE_PATH}?token=${encodeURIComponent(token)}`, location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  const exchanges = new Exchanges(base, socket)
  socket.onopen = () => onChange(true)
  socket.onmessage = ({ data }) => exchanges.take(data as string | ArrayBuffer)
  // A restarted server has a new token.
  const again = () =>
    void offerOf(base).then((offer) => connect(base, offer ?? { token }, onChange))
  socket.onclose = ({ code }) => {
    onChange(false)
    exchanges.cancelAll()
    if (code === REPLACED) addEventListener('focus', again, { once: true })
    else setTimeout(again, AGAIN_MILLISECONDS)
  }
}

class Exchanges {
  private readonly running = new Map<number, AbortController>()
  private readonly heads = new Map<number, RequestHead>()

  constructor(
    private readonly base: string,
    private readonly socket: WebSocket,
  ) {}

  take(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const { id, bytes } = readPiece(new Uint8Array(data))
      const head = this.heads.get(id)
      this.heads.delete(id)
      if (head) void this.serve(head, bytes)
      return
    }
    const message = JSON.parse(data) as FromServer
    if (message.kind === 'cancel') this.cancel(message.id)
    else if (message.body) this.heads.set(message.id, message)
    else void this.serve(message, undefined)
  }

  cancelAll(): void {
    for (const id of this.running.keys()) this.cancel(id)
  }

  private cancel(id: number): void {
    this.heads.delete(id)
    this.running.get(id)?.abort()
  }

  private async serve(
    { id, method, target, headers }: RequestHead,
    body: Uint8Array | undefined,
  ): Promise<void> {
    const control = new AbortController()
    this.running.set(id, control)
    try {
      const response = await fetch(this.base + target.replace(/^\//, ''), {
        method,
        headers,
        // Copied: the message's buffer also contains the request's id.
        ...(body === undefined ? {} : { body: body.slice() }),
        signal: control.signal,
        redirect: 'manual',
      })
      this.send({ kind: 'response', id, status: response.status, headers: headersOf(response) })
      if (response.body) await this.pass(id, response.body, control.signal)
      this.send({ kind: 'end', id })
    } catch (error) {
      if (!control.signal.aborted)
        this.send({
          kind: 'failed',
          id,
          message: error instanceof Error ? error.message : String(error),
        })
    } finally {
      this.running.delete(id)
    }
  }

  private async pass(
    id: number,
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> {
    const reader = body.getReader()
    signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), {
      once: true,
    })
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(pieceOf(id, value))
    }
  }

  private send(message: FromTab): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }
}

/** The engine's headers, without the browser's encoding of non-ASCII characters. */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, headerAsWritten(value)]))
