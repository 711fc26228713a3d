import type { StreamSink } from '../http/messages'
import type { Watcher } from '../storage/storage'

export interface WatchDelegate {
  /** @param seen revision of the last delivered event */
  onEnd(reason: 'gone' | 'closed', seen: number): void
  onError(error: unknown): void
}

/** Groups of equal watches, whose events are encoded once. */
export interface WatchGroups<Resource> {
  /** @param prefix ends with `/` */
  join(
    resource: Resource,
    prefix: string,
    stream: WatchDelegate,
    join: NonNullable<StreamSink['join']>,
  ): Watcher
}
