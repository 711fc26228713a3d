/** Whether etcd is there: it is asked whenever somebody wants the newest state, and now and then while nobody does. */
import { StorageUnavailableError } from '../../../engine/storage/storage'
import type { Follower } from './follower'

/** While nobody asks, etcd is asked so often whether it is there. */
const PROBE_INTERVAL_MS = 1_000
const UNHEALTHY_AFTER_MS = 3_000

export class HealthProbe {
  private lastResponse = 0
  private probe: Promise<void> | undefined
  private nextProbe: Promise<void> | undefined
  private readonly timer = setInterval(() => this.beat(), PROBE_INTERVAL_MS).unref()

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
  recordResponse(): void {
    this.lastResponse = performance.now()
  }

  /** @returns what is wrong, in words; undefined if nothing is */
  failure(): string | undefined {
    const silent = performance.now() - this.lastResponse
    if (silent > UNHEALTHY_AFTER_MS)
      return `etcd has not answered for ${Math.round(silent / 1000)} seconds`
    return this.follower.isFollowing ? undefined : 'the watch of etcd does not stand'
  }

  /**
   * Who asks while an answer is under way waits for the next: the one under way may have been read before.
   * @param within milliseconds after which whoever asks is told that it is too late
   * @throws StorageUnavailableError
   */
  readBarrier(within = this.patience): Promise<void> {
    if (this.probe === undefined) {
      this.probe = this.ask().finally(() => {
        this.probe = undefined
      })
      return within < this.patience ? withTimeout(this.probe, within) : this.probe
    }
    this.nextProbe ??= this.probe
      .catch(() => undefined)
      .then(() => {
        this.nextProbe = undefined
        return this.readBarrier()
      })
    return withTimeout(this.nextProbe, Math.min(within, this.patience))
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private beat(): void {
    if (performance.now() - this.lastResponse < PROBE_INTERVAL_MS || this.probe) return
    // What goes wrong shows in `trouble`.
    this.readBarrier().catch(() => undefined)
  }
}

function withTimeout(answer: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(
        new StorageUnavailableError(`etcd: no answer within ${Math.round(milliseconds)} ms`, false),
      )
    const timer = setTimeout(late, Math.max(1, milliseconds))
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
