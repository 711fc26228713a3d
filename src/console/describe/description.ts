/**
 * A kind's description: the related objects to read, and a pure function to text. The layout is
 * kubectl 1.31's (compared in tests/console).
 */
import type { KubeObject } from '../../engine/core/object'
import type { Report } from './report'

/** A missing object is `undefined`, a forbidden list empty. */
export interface ClusterReader {
  /** @param resource `pods`, `replicasets.apps` */
  get<T>(resource: string, namespace: string | undefined, name: string): Promise<T | undefined>
  list<T>(
    resource: string,
    namespace: string | undefined,
    selectors?: { labels?: string; fields?: string },
  ): Promise<T[]>
}

export interface Description {
  /** Events of the object follow. */
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

/** The only type assertion from any object to its kind. */
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
