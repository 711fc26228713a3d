import type { WatchFlushScheduler } from './watch-writer'

/**
 * Batches all connections of a port per turn of the event loop: requests of a turn run through the
 * engine in stages (`stageBarrier`), and its responses are sent together. The first wakes the
 * client, which costs more than sending; the others find it awake.
 */
export class TickBatcher {
  private readonly arrivals = new TickQueue()
  private readonly responses: TickQueue

  constructor(flushScheduler: WatchFlushScheduler) {
    this.responses = new TickQueue(() => flushScheduler.flushBeforeResponse())
  }

  /** @param begin must not throw */
  arrived(begin: () => void): void {
    this.arrivals.add(begin)
  }

  /** @param send must not throw */
  ready(send: () => void): void {
    this.responses.add(send)
  }
}

/** Runs added work at the end of the turn. */
class TickQueue {
  private waiting: (() => void)[] = []

  constructor(private readonly before: () => void = () => {}) {}

  add(run: () => void): void {
    if (this.waiting.push(run) === 1) setImmediate(this.runAll)
  }

  private readonly runAll = (): void => {
    const { waiting } = this
    this.waiting = []
    this.before()
    for (const run of waiting) run()
  }
}
