/** Requests that wait until the watch has delivered a revision. */
import { StorageUnavailableError } from '../../../engine/storage/storage'

interface Waiting {
  revision: number
  resolve(): void
}

export class RevisionWaiters {
  private readonly waiting = new Set<Waiting>()

  /**
   * @param current the last delivered revision
   * @param deadline a time of `performance.now()`
   * @throws StorageUnavailableError at the deadline
   */
  waitFor(revision: number, current: number, deadline: number): Promise<void> {
    if (current >= revision) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        revision,
        resolve: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(
        () => {
          this.waiting.delete(waiting)
          reject(
            new StorageUnavailableError(
              `the watch of etcd has not delivered revision ${revision} in time`,
              true,
            ),
          )
        },
        Math.max(1, deadline - performance.now()),
      )
      this.waiting.add(waiting)
    })
  }

  /** Resolves the requests that wait for this or an earlier revision. */
  advance(revision: number): void {
    for (const waiting of this.waiting) {
      if (waiting.revision > revision) continue
      this.waiting.delete(waiting)
      waiting.resolve()
    }
  }
}
