/**
 * Whether other engines have the same store open. Who opens it asks, who has it open answers; nobody who has spoken lately is
 * taken for gone without being asked again. Alone, an engine need not look at the store before it reads.
 */

const MARK = 'kubetab-peers'

interface PeerMessage {
  mark: typeof MARK
  type: 'ping' | 'pong'
}

/** So long nobody who has spoken is asked again, in milliseconds. */
const PEER_TTL_MS = 10_000
/** So long an answer is waited for. Pages in the background are slow to speak. */
const RESPONSE_TIMEOUT_MS = 1_000

export class PeerDetection {
  private lastMessage = Number.NEGATIVE_INFINITY
  private lastPing = Number.NEGATIVE_INFINITY

  /** @param send to all others @param now milliseconds from any start */
  constructor(
    private readonly send: (word: PeerMessage) => void,
    private readonly now: () => number,
  ) {}

  /** Makes itself known, and asks who else is here. */
  ping(): void {
    this.lastPing = this.now()
    this.send({ mark: MARK, type: 'ping' })
  }

  /** @param message anything that another engine said: it is here, then @returns whether that was all it said */
  receive(message: unknown): boolean {
    this.lastMessage = this.now()
    if (!isPeerMessage(message)) return false
    if (message.type === 'ping') this.send({ mark: MARK, type: 'pong' })
    return true
  }

  isAlone(): boolean {
    if (this.lastMessage === Number.NEGATIVE_INFINITY) return true
    const now = this.now()
    if (now - this.lastMessage < PEER_TTL_MS) return false
    if (this.lastPing <= this.lastMessage) this.ping()
    return now - this.lastPing > RESPONSE_TIMEOUT_MS
  }
}

function isPeerMessage(message: unknown): message is PeerMessage {
  return (
    typeof message === 'object' && message !== null && 'mark' in message && message.mark === MARK
  )
}
