/** Stored states of an object with changes, field managers, time and user. */
import {
  equalJson,
  isJsonObject,
  type Json,
  type KubeObject,
  type ManagedFieldsEntry,
} from '../../../engine/core/object'
import type { AuditEvent, StoredState } from '../../../hosts/shared/channel'
import type { LoggedRequest } from '../../state/logged-request'
import { type OwnedPath, pathsOf, valueOn } from '../ownership/field-paths'
import { type Change, changesBetween } from './changes'

export interface Revision {
  revision: number
  what: 'created' | 'changed' | 'deleted'
  /** From the request or from managedFields. */
  managers: string[]
  /** RFC 3339, from managedFields. */
  time: string | undefined
  /** undefined for the server itself. */
  who: string | undefined
  request: LoggedRequest | undefined
  /** For a deletion, the last state. */
  object: KubeObject
  /** Since the previous state; empty for a creation and a deletion. */
  changes: Change[]
}

/**
 * @param states oldest first
 * @param audit finds the request of a state
 * @returns newest first
 */
export function revisionsOf(
  states: readonly StoredState[],
  audit: readonly AuditEvent[],
  log: readonly LoggedRequest[],
): Revision[] {
  const writes = writesByRevision(audit)
  const revisions: Revision[] = []
  let former: KubeObject | undefined
  for (const { revision, createRevision, object, author: who } of states) {
    const shown = object ?? former
    if (shown === undefined) continue
    const event = writes.get(String(revision))
    const request =
      event && log.find(({ responseHeaders }) => responseHeaders?.['audit-id'] === event.auditID)
    if (object === undefined) {
      revisions.push({
        revision,
        what: 'deleted',
        managers: [],
        time: undefined,
        who,
        request,
        object: shown,
        changes: [],
      })
    } else {
      const created = createRevision === revision
      const stamped = managedSince(created ? undefined : former, object)
      const entries = stamped.length > 0 ? stamped : sameSecond(former, object)
      revisions.push({
        revision,
        what: created ? 'created' : 'changed',
        managers: managerOf(event) ?? [...new Set(entries.map(({ manager = '' }) => manager))],
        time: (created ? object.metadata.creationTimestamp : newestTime(entries)) ?? undefined,
        who,
        request,
        object,
        changes:
          created || former === undefined
            ? []
            : changesBetween(former as unknown as Json, object as unknown as Json),
      })
    }
    former = object
  }
  return revisions.reverse()
}

/** An entry that only lost fields keeps its time. */
function managedSince(former: KubeObject | undefined, object: KubeObject): ManagedFieldsEntry[] {
  const before = former?.metadata.managedFields ?? []
  const stamp = ({ manager, operation, subresource, apiVersion, time }: ManagedFieldsEntry) =>
    [manager, operation, subresource, apiVersion, time].join()
  const known = new Set(before.map(stamp))
  return (object.metadata.managedFields ?? []).filter((entry) => !known.has(stamp(entry)))
}

/**
 * A write that changed owned fields but no timestamp happened within the second of the newest
 * entry. That entry names its manager, unless several have that time.
 */
function sameSecond(former: KubeObject | undefined, object: KubeObject): ManagedFieldsEntry[] {
  const entries = object.metadata.managedFields ?? []
  const newest = newestTime(entries)
  const found = entries.filter(({ time }) => time !== undefined && time === newest)
  if (former === undefined || new Set(found.map(({ manager }) => manager)).size !== 1) return []
  const [before, after] = [former, object].map((state) => state as unknown as Json) as [Json, Json]
  const changed = ({ path, itself }: OwnedPath) =>
    !itself && !equalJson(valueOn(before, path) ?? null, valueOn(after, path) ?? null)
  return found.filter(({ fieldsV1 }) => pathsOf(fieldsV1).some(changed))
}

function newestTime(entries: readonly ManagedFieldsEntry[]): string | undefined {
  return entries
    .flatMap(({ time }) => time ?? [])
    .sort()
    .at(-1)
}

/** By the resourceVersion in the response of a write. */
function writesByRevision(audit: readonly AuditEvent[]): Map<string, AuditEvent> {
  const found = new Map<string, AuditEvent>()
  for (const event of audit) {
    const { verb, stage, requestURI, responseObject } = event
    if (
      !WRITES.includes(verb) ||
      stage !== 'ResponseComplete' ||
      requestURI.includes('dryRun=') ||
      !isJsonObject(responseObject)
    )
      continue
    const version = isJsonObject(responseObject.metadata)
      ? responseObject.metadata.resourceVersion
      : undefined
    if (typeof version === 'string' && !found.has(version)) found.set(version, event)
  }
  return found
}

/** From the request. managedFields lacks it if the manager wrote before in the same second. */
function managerOf(event: AuditEvent | undefined): string[] | undefined {
  const name = new URLSearchParams(event?.requestURI.split('?')[1]).get('fieldManager')
  return name ? [name] : undefined
}

const WRITES = ['create', 'update', 'patch', 'delete']
