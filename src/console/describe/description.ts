/**
 * The description of a kind: the related objects to read, and a pure function from all of them to text.
 * The layout is that of kubectl 1.31 (compared in tests/console).
 */
import type { KubeObject } from '../../engine/core/object'
import type { Report } from './report'

/** Reads related objects. Returns `undefined` for a missing object, an empty list if listing is forbidden. */
export interface ClusterReader {
  /** @param resource its qualified name: `pods`, `replicasets.apps`. */
  get<T>(resource: string, namespace: string | undefined, name: string): Promise<T | undefined>
  list<T>(
    resource: string,
    namespace: string | undefined,
    selectors?: { labels?: string; fields?: string },
  ): Promise<T[]>
}

export interface Description {
  /** Whether the object's events end the description. */
  readonly events: boolean
  /** The uids under which events name the object. */
  eventUids(object: KubeObject): string[]
  related(object: KubeObject, reader: ClusterReader): Promise<unknown>
  write(report: Report, object: KubeObject, related: unknown, now: number): void
}

interface Written<T, Related> {
  events?: boolean
  eventUids?(object: T): string[]
  related?(object: T, reader: ClusterReader): Promise<Related>
  write(report: Report, object: T, related: Related, now: number): void
}

/** The one place where an object is taken at its kind's word. */
export function describes<T, Related = undefined>({
  events = true,
  eventUids,
  related,
  write,
}: Written<T, Related>): Description {
  return {
    events,
    eventUids: (object) => eventUids?.(object as unknown as T) ?? [object.metadata.uid ?? ''],
    related: async (object, reader) => await related?.(object as unknown as T, reader),
    write: (report, object, found, now) =>
      write(report, object as unknown as T, found as Related, now),
  }
}
