/** A key that every transaction of one host demands unmoved: whoever moves it rejects those that are still under way. */
import type { EtcdClient } from './client'
import { left } from './failures'
import type { WatchEvent } from './wire'

export class Fence {
  /** The revision at which it was moved last, as far as the watch has told; 0: never. */
  at = 0
  private raising: Promise<void> | undefined

  /** @param key where it lies @param next to a key that is written with it, and what is written there */
  constructor(
    private readonly client: EtcdClient,
    readonly key: string,
    private readonly beside: { key: string; value: string },
  ) {}

  /** The watch tells of a change of any key. */
  tend({ key, modRevision, deleted }: WatchEvent): void {
    if (key === this.key) this.at = deleted ? 0 : modRevision
  }

  /**
   * Moves it on: no transaction that was sent before can take place behind it.
   * @param read resolves when the watch has brought a revision
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
          { type: 'put', ...this.beside },
          { type: 'put', key: this.key, value: '' },
        ],
        failure: [],
      },
      left(deadline),
    )
    await read(revision)
  }
}
