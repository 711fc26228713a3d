/** Knows when clients were last served, for work that is only done while they are not. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Handle } from '../adapter'

/** How long after a request of a client nobody is believed to be waiting. */
const QUIET_MILLISECONDS = 50

export class ClientActivity {
  private last = Number.NEGATIVE_INFINITY

  /** The same handler, with note taken of when it is asked. */
  observed(handle: Handle): Handle {
    return (request) => {
      this.last = performance.now()
      return handle(request)
    }
  }

  /** Resolves when no client has asked for a while. */
  async quiet(): Promise<void> {
    for (;;) {
      const rest = this.last + QUIET_MILLISECONDS - performance.now()
      if (rest <= 0) return
      await sleep(rest)
    }
  }
}
