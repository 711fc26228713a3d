/** Throttles updates: fifty changes a second become a few renders. */

/** In milliseconds. */
export interface ThrottleOptions {
  /** The delay of the first change after a pause; later changes join it. */
  leadingMs: number
  /** Minimum time between two updates. */
  intervalMs: number
}

export interface Throttled {
  /** Something has changed: it will be shown. */
  schedule(): void
  /** Shows now what is waiting to be shown. */
  flush(): void
}

/** @param show is called once for all that changed since it was called last */
export function throttle(show: () => void, { leadingMs, intervalMs }: ThrottleOptions): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown = Number.NEGATIVE_INFINITY
  const flush = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    shown = performance.now()
    show()
  }
  return {
    schedule() {
      timer ??= setTimeout(flush, Math.max(leadingMs, shown + intervalMs - performance.now()))
    },
    flush,
  }
}
