export interface ThrottleOptions {
  /** The delay of the first change after a pause; later changes join it. */
  leadingMs: number
  /** Minimum time between two updates. */
  intervalMs: number
}

export interface Throttled {
  schedule(): void
  /** Runs a pending update now. */
  flush(): void
}

/** @param show called once for all changes since the last call */
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
