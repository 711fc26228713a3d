/** Requests that wait until a revision has been read. */
import { StorageUnavailableError } from '../../../engine/storage/storage'

interface Waiting {
  revision: number
  resolve(): void
}

export class RevisionWaiters {
  private readonly waiting = new Set<Waiting>()

  /** @param current the last revision read @param deadline of `performance.now()` @throws StorageUnavailableError when it has passed */
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

  /** Everything up to this revision has been read. */
  advance(revision: number): void {
    for (const waiting of this.waiting) {
      if (waiting.revision > revision) continue
      this.waiting.delete(waiting)
      waiting.resolve()
    }
  }
}
