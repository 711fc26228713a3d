/** Records when clients were last served, for work of an idle server. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Handle } from '../adapter'

/** Idle this long after the last request. */
const QUIET_MILLISECONDS = 50

export class ClientActivity {
  private last = Number.NEGATIVE_INFINITY

  observed(handle: Handle): Handle {
    return (request) => {
      this.last = performance.now()
      return handle(request)
    }
  }

  /** Resolves when the server is idle. */
  async quiet(): Promise<void> {
    for (;;) {
      const rest = this.last + QUIET_MILLISECONDS - performance.now()
      if (rest <= 0) return
      await sleep(rest)
    }
  }
}
