/** Long work in slices, so that the page stays responsive. */

/** Well below the 50 ms of a long task, because rendering can follow in the same task. */
const SLICE_MILLISECONDS = 12

/** Runs a generator to its end. @throws the signal's reason if it is aborted */
export async function runInSlices<Result>(
  work: Generator<unknown, Result>,
  signal?: AbortSignal,
): Promise<Result> {
  let until = performance.now() + SLICE_MILLISECONDS
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() < until) continue
    await nextTask()
    until = performance.now() + SLICE_MILLISECONDS
  }
}

/** Runs it to its end in this task. */
export function runAtOnce<Result>(work: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Lets input, rendering and responses go first. Timers would add 4 ms each. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })

/** @throws every other error */
export function ignoreAbort(error: unknown): undefined {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
}
