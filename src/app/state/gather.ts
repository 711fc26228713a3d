/** Many changes, few updates: what changes fifty times a second is shown as often as somebody can read it. */

/** In milliseconds. */
export interface Pace {
  /** A change after a quiet time is shown so soon, with all that came meanwhile. */
  soon: number
  /** Updates stand so far apart at least, however much changes. */
  apart: number
}

export interface Gathered {
  /** Something has changed: it will be shown. */
  touch(): void
  /** Shows now what is waiting to be shown. */
  flush(): void
}

/** @param show is called once for all that changed since it was called last */
export function gather(show: () => void, { soon, apart }: Pace): Gathered {
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
    touch() {
      timer ??= setTimeout(flush, Math.max(soon, shown + apart - performance.now()))
    },
    flush,
  }
}
