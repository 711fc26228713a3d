/** The tab's end of the bridge: what programs on this machine ask is asked of the engine, and the responses go back. */
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

/** One tab of the browser carries the bridge; when it closes another one takes over. */
const LOCK = 'kubetab-bridge'
const AGAIN_MILLISECONDS = 2000

/**
 * Connects to the server that the page came from, if it carries a bridge, for as long as the page is open.
 *
 * @param base path that the page is served under, ending with `/`
 * @param onChange told whether programs reach this tab
 */
export async function carryBridge(
  base: string,
  onChange: (connected: boolean) => void,
): Promise<void> {
  const offer = await offerOf(base)
  if (offer === undefined) return
  const carry = () => new Promise<never>(() => void connect(base, offer, onChange))
  // Absent on plain HTTP from another machine, where there is no bridge either.
  const locks: LockManager | undefined = navigator.locks
  await (locks ? locks.request(LOCK, carry) : carry())
}

/** Static hosts have no such file: nothing is wrong then. */
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
  // The server may have been started again: its token is another one then.
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
  /** Heads whose body is still to come. */
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
        // Copied into a buffer of its own: the piece shares one with the request's number.
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

/** As the engine wrote them, whatever the browser did to letters beyond ASCII. */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, headerAsWritten(value)]))
