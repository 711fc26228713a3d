/**
 * Detects other engines of a store by pings. Without peers, reads need not check the store for
 * newer commits.
 */

const MARK = 'kubetab-peers'

interface PeerMessage {
  mark: typeof MARK
  type: 'ping' | 'pong'
}

/** A peer is present for this long after its last message. */
const PEER_TTL_MS = 10_000
/** Background pages respond slowly. */
const RESPONSE_TIMEOUT_MS = 1_000

export class PeerDetection {
  private lastMessage = Number.NEGATIVE_INFINITY
  private lastPing = Number.NEGATIVE_INFINITY

  /** @param now monotonic milliseconds */
  constructor(
    private readonly send: (word: PeerMessage) => void,
    private readonly now: () => number,
  ) {}

  ping(): void {
    this.lastPing = this.now()
    this.send({ mark: MARK, type: 'ping' })
  }

  /** @returns whether it was a ping or pong */
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
