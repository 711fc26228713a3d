import type { WatchPulse } from './watch-writer'

/**
 * Answers that are ready in one turn of the event loop leave together at its end: the first wakes the client, which costs the
 * system more than sending, and those behind it find it awake.
 */
export class Burst {
  private ready: (() => void)[] = []

  constructor(private readonly pulse: WatchPulse) {}

  add(send: () => void): void {
    if (this.ready.push(send) === 1) setImmediate(this.leave)
  }

  private readonly leave = (): void => {
    const { ready } = this
    this.ready = []
    this.pulse.beforeAnswer()
    for (const send of ready) send()
  }
}
