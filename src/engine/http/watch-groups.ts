/**
 * Equal watches without selectors: an event is encoded once for a group, and passed once to each
 * host.
 */
import type { Resource } from '../registry/resource'
import type { WatchDelegate, WatchGroups } from '../registry/watch-groups'
import type { Storage, StorageEvent, Watcher, WatchSink } from '../storage/storage'
import type { Membership, SharedSink, StreamSink } from './messages'
import { storedEventJson } from './stored-json'

type Join = NonNullable<StreamSink['join']>

export class OpenWatchGroups implements WatchGroups<Resource> {
  private readonly groups = new Map<Resource, Map<string, WatchGroup>>()

  constructor(private readonly storage: Storage) {}

  join(resource: Resource, prefix: string, stream: WatchDelegate, join: Join): Watcher {
    const ofResource = this.groups.get(resource) ?? new Map<string, WatchGroup>()
    this.groups.set(resource, ofResource)
    let group = ofResource.get(prefix)
    if (group === undefined) {
      const onEmpty = () => {
        if (ofResource.get(prefix) !== group) return
        ofResource.delete(prefix)
        if (ofResource.size === 0 && this.groups.get(resource) === ofResource)
          this.groups.delete(resource)
      }
      group = new WatchGroup(this.storage, resource, prefix, onEmpty)
      ofResource.set(prefix, group)
    }
    return group.add(stream, join)
  }
}

class WatchGroup implements WatchSink {
  private readonly members = new Map<WatchDelegate, Membership>()
  /** Per host, with its number of members. */
  private readonly sinks = new Map<SharedSink, number>()
  private seen: number
  private readonly watcher: Watcher

  constructor(
    storage: Storage,
    private readonly resource: Resource,
    prefix: string,
    private readonly onEmpty: () => void,
  ) {
    this.seen = storage.currentRevision()
    this.watcher = storage.watch(prefix, this.seen, this)
  }

  add(stream: WatchDelegate, join: Join): Watcher {
    const membership = join(this)
    const { shared } = membership
    this.members.set(stream, membership)
    this.sinks.set(shared, (this.sinks.get(shared) ?? 0) + 1)
    return { stop: () => this.remove(stream) }
  }

  private remove(stream: WatchDelegate): void {
    const membership = this.members.get(stream)
    if (membership === undefined) return
    this.members.delete(stream)
    const { shared } = membership
    const others = (this.sinks.get(shared) ?? 1) - 1
    if (others > 0) this.sinks.set(shared, others)
    else this.sinks.delete(shared)
    membership.leave()
    if (this.members.size > 0) return
    this.watcher.stop()
    this.onEmpty()
  }

  event(event: StorageEvent): void {
    let chunk: Uint8Array
    try {
      chunk = storedEventJson(event.type, event.current, this.resource)
    } catch (error) {
      for (const stream of [...this.members.keys()]) stream.onError(error)
      return
    }
    this.seen = event.revision
    for (const sink of this.sinks.keys()) sink.write(chunk)
  }

  end(reason: 'gone' | 'closed'): void {
    this.onEmpty()
    for (const stream of [...this.members.keys()]) stream.onEnd(reason, this.seen)
  }
}
