/**
 * Detects other engines with the same store. An engine pings when it opens the store, and all
 * others respond. Without peers, reads need not check the store for newer commits.
 */

const MARK = 'kubetab-peers'

interface PeerMessage {
  mark: typeof MARK
  type: 'ping' | 'pong'
}

/** A peer counts as present for this long after its last message. */
const PEER_TTL_MS = 10_000
/** How long a ping waits for responses. Pages in the background respond slowly. */
const RESPONSE_TIMEOUT_MS = 1_000

export class PeerDetection {
  private lastMessage = Number.NEGATIVE_INFINITY
  private lastPing = Number.NEGATIVE_INFINITY

  /** @param send posts to all peers @param now a monotonic time in milliseconds */
  constructor(
    private readonly send: (word: PeerMessage) => void,
    private readonly now: () => number,
  ) {}

  ping(): void {
    this.lastPing = this.now()
    this.send({ mark: MARK, type: 'ping' })
  }

  /** @returns whether the message was only a ping or pong */
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
