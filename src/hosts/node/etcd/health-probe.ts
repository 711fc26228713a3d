/** Probes etcd with every read barrier, otherwise at intervals. */
import { StorageUnavailableError } from '../../../engine/storage/storage'
import type { Follower } from './follower'

const PROBE_INTERVAL_MS = 1_000
const UNHEALTHY_AFTER_MS = 3_000

export class HealthProbe {
  private lastResponse = 0
  private probe: Promise<void> | undefined
  private nextProbe: Promise<void> | undefined
  private readonly timer = setInterval(() => this.beat(), PROBE_INTERVAL_MS).unref()

  /**
   * @param sync resolves when this host has everything that etcd had at the call
   * @param timeoutMs milliseconds after which it fails
   */
  constructor(
    private readonly follower: Follower,
    private readonly timeoutMs: number,
    private readonly sync: () => Promise<void>,
  ) {}

  recordResponse(): void {
    this.lastResponse = performance.now()
  }

  failure(): string | undefined {
    const silent = performance.now() - this.lastResponse
    if (silent > UNHEALTHY_AFTER_MS)
      return `etcd has not responded for ${Math.round(silent / 1000)} seconds`
    return this.follower.isFollowing ? undefined : 'the watch of etcd is interrupted'
  }

  /**
   * A call during a pending probe waits for the next one: the pending one may have read too early.
   * @param within milliseconds after which this call fails
   * @throws StorageUnavailableError
   */
  readBarrier(within = this.timeoutMs): Promise<void> {
    if (this.probe === undefined) {
      this.probe = this.sync().finally(() => {
        this.probe = undefined
      })
      return within < this.timeoutMs ? withTimeout(this.probe, within) : this.probe
    }
    this.nextProbe ??= this.probe
      .catch(() => undefined)
      .then(() => {
        this.nextProbe = undefined
        return this.readBarrier()
      })
    return withTimeout(this.nextProbe, Math.min(within, this.timeoutMs))
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private beat(): void {
    if (performance.now() - this.lastResponse < PROBE_INTERVAL_MS || this.probe) return
    // `failure` reports errors.
    this.readBarrier().catch(() => undefined)
  }
}

function withTimeout(probe: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(
        new StorageUnavailableError(
          `etcd: no response within ${Math.round(milliseconds)} ms`,
          false,
        ),
      )
    const timer = setTimeout(late, Math.max(1, milliseconds))
    probe.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
