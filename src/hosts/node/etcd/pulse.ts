/** Whether etcd is there: it is asked whenever somebody wants the newest state, and now and then while nobody does. */
import type { Follower } from './follower'

/** While nobody asks, etcd is asked so often whether it is there. */
const HEARTBEAT = 1_000
const SILENCE_IS_TROUBLE = 3_000

export class Pulse {
  private lastAnswer = 0
  private asking: Promise<void> | undefined
  private askingNext: Promise<void> | undefined
  private readonly heartbeat = setInterval(() => this.beat(), HEARTBEAT).unref()

  /** @param ask resolves when everything that etcd had when it was asked is known here */
  constructor(
    private readonly follower: Follower,
    private readonly ask: () => Promise<void>,
  ) {}

  /** Etcd has answered, whatever the question. */
  answered(): void {
    this.lastAnswer = performance.now()
  }

  /** @returns what is wrong, in words; undefined if nothing is */
  trouble(): string | undefined {
    const silent = performance.now() - this.lastAnswer
    if (silent > SILENCE_IS_TROUBLE) return `etcd has not answered for ${Math.round(silent / 1000)} seconds`
    return this.follower.isFollowing ? undefined : 'the watch of etcd does not stand'
  }

  /** Who asks while an answer is under way waits for the next: the one under way may have been read before. */
  newest(): Promise<void> {
    if (this.asking === undefined) {
      this.asking = this.ask().finally(() => {
        this.asking = undefined
      })
      return this.asking
    }
    this.askingNext ??= this.asking
      .catch(() => undefined)
      .then(() => {
        this.askingNext = undefined
        return this.newest()
      })
    return this.askingNext
  }

  stop(): void {
    clearInterval(this.heartbeat)
  }

  private beat(): void {
    if (performance.now() - this.lastAnswer < HEARTBEAT || this.asking) return
    // What goes wrong shows in `trouble`.
    this.newest().catch(() => undefined)
  }
}
