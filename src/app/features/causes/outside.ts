/** Writes of other clients: other tabs, and programs that use the bridge. */
import type { ClientWrite } from '../../../hosts/shared/channel'
import type { LoggedRequest } from '../../state/logged-request'
import type { LastWrite } from './roots'

/** @returns those that this page did not send */
export function outsideWrites(
  writes: readonly ClientWrite[],
  log: readonly LoggedRequest[],
): ClientWrite[] {
  const own = new Set(log.map(({ responseHeaders }) => responseHeaders?.['audit-id']))
  return writes.filter(({ id }) => !own.has(id))
}

/** @param before writes of the same run */
export function outsideWrite(
  writes: readonly ClientWrite[],
  before: LastWrite | undefined,
): LastWrite | undefined {
  const last = writes.at(-1)
  if (last === undefined) return undefined
  const roots = before?.roots
  return {
    request: undefined,
    client: last.userAgent,
    roots: {
      revisions: [
        ...(roots?.revisions ?? []),
        ...writes.flatMap(({ written }) => ('revision' in written ? [written.revision] : [])),
      ],
      deleted: [
        ...(roots?.deleted ?? []),
        ...writes.flatMap(({ written }) => ('deleted' in written ? [written.deleted] : [])),
      ],
    },
    reason: '',
    message: '',
  }
}
