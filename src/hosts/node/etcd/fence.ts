/** A key that every transaction of one host compares. Moving it makes pending transactions fail. */
import type { EtcdClient } from './client'
import { left } from './failures'
import type { WatchEvent } from './wire'

export class Fence {
  /** The revision of its last write that the watch has delivered; 0 if there is none. */
  at = 0
  private raising: Promise<void> | undefined

  /**
   * @param key the fence's key
   * @param companion another key and value, written together with it
   */
  constructor(
    private readonly client: EtcdClient,
    readonly key: string,
    private readonly companion: { key: string; value: string },
  ) {}

  tend({ key, modRevision, deleted }: WatchEvent): void {
    if (key === this.key) this.at = deleted ? 0 : modRevision
  }

  /**
   * Moves the fence, so that no transaction sent earlier can commit later.
   * @param read resolves when the watch has delivered a revision
   * @throws CallError
   */
  raise(deadline: number, read: (revision: number) => Promise<void>): Promise<void> {
    this.raising ??= this.move(deadline, read).finally(() => {
      this.raising = undefined
    })
    return this.raising
  }

  private async move(deadline: number, read: (revision: number) => Promise<void>): Promise<void> {
    const { revision } = await this.client.transaction(
      {
        compare: [],
        success: [
          { type: 'put', ...this.companion },
          { type: 'put', key: this.key, value: '' },
        ],
        failure: [],
      },
      left(deadline),
    )
    await read(revision)
  }
}
