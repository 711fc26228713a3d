/** Runs jobs side by side, as many as the cores of the machine can take. */

export interface Job {
  /** How many cores it keeps busy. */
  cores: number
}

/**
 * Starts jobs in their order. A later job that fits into the free cores starts before an earlier one
 * that does not; a job that needs more cores than there are runs alone.
 * @param run does not reject
 */
export async function runOnCores<T extends Job>(
  jobs: readonly T[],
  cores: number,
  run: (job: T) => Promise<void>,
): Promise<void> {
  const waiting = [...jobs]
  const running = new Set<Promise<void>>()
  let free = cores
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex((job) => job.cores <= free || running.size === 0)
    const [job] = next === -1 ? [] : waiting.splice(next, 1)
    if (job === undefined) {
      await Promise.race(running)
      continue
    }
    free -= job.cores
    const ended: Promise<void> = run(job).then(() => {
      free += job.cores
      running.delete(ended)
    })
    running.add(ended)
  }
}
