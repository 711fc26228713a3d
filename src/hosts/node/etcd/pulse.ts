/** Whether etcd is there: it is asked whenever somebody wants the newest state, and now and then while nobody does. */
import { StorageUnavailableError } from '../../../engine/storage/storage'
import type { Follower } from './follower'

/** While nobody asks, etcd is asked so often whether it is there. */
const HEARTBEAT = 1_000
const SILENCE_IS_TROUBLE = 3_000

export class Pulse {
  private lastAnswer = 0
  private asking: Promise<void> | undefined
  private askingNext: Promise<void> | undefined
  private readonly heartbeat = setInterval(() => this.beat(), HEARTBEAT).unref()

  /**
   * @param ask resolves when everything that etcd had when it was asked is known here
   * @param patience milliseconds after which it gives up
   */
  constructor(
    private readonly follower: Follower,
    private readonly patience: number,
    private readonly ask: () => Promise<void>,
  ) {}

  /** Etcd has answered, whatever the question. */
  answered(): void {
    this.lastAnswer = performance.now()
  }

  /** @returns what is wrong, in words; undefined if nothing is */
  trouble(): string | undefined {
    const silent = performance.now() - this.lastAnswer
    if (silent > SILENCE_IS_TROUBLE)
      return `etcd has not answered for ${Math.round(silent / 1000)} seconds`
    return this.follower.isFollowing ? undefined : 'the watch of etcd does not stand'
  }

  /**
   * Who asks while an answer is under way waits for the next: the one under way may have been read before.
   * @param within milliseconds after which whoever asks is told that it is too late
   * @throws StorageUnavailableError
   */
  newest(within = this.patience): Promise<void> {
    if (this.asking === undefined) {
      this.asking = this.ask().finally(() => {
        this.asking = undefined
      })
      return within < this.patience ? inTime(this.asking, within) : this.asking
    }
    this.askingNext ??= this.asking
      .catch(() => undefined)
      .then(() => {
        this.askingNext = undefined
        return this.newest()
      })
    return inTime(this.askingNext, Math.min(within, this.patience))
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

function inTime(answer: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(
        new StorageUnavailableError(`etcd: no answer within ${Math.round(milliseconds)} ms`, false),
      )
    const timer = setTimeout(late, Math.max(1, milliseconds))
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
