/** A key that all transactions of a host compare. Writing it makes pending ones fail. */
import type { EtcdClient } from './client'
import { left } from './failures'
import type { WatchEvent } from './wire'

export class Fence {
  /** Revision of its last delivered write; 0 without one. */
  at = 0
  private raising: Promise<void> | undefined

  /** @param companion another key and value, written together with it */
  constructor(
    private readonly client: EtcdClient,
    readonly key: string,
    private readonly companion: { key: string; value: string },
  ) {}

  tend({ key, modRevision, deleted }: WatchEvent): void {
    if (key === this.key) this.at = deleted ? 0 : modRevision
  }

  /**
   * After this, no earlier transaction can commit.
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
