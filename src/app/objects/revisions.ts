/** An object's history as people read it: each kept state with what it changed, through which manager, when and by whom. */
import { equalJson, type Json, type KubeObject, type ManagedFieldsEntry } from '../../engine/object'
import type { KeptState } from '../../hosts/shared/channel'
import type { LoggedRequest } from '../state/requests'
import { type Change, changesBetween } from './changes'

export interface Revision {
  revision: number
  what: 'created' | 'changed' | 'deleted'
  /** As far as the object itself tells: the managers whose fields changed. */
  managers: string[]
  /** RFC 3339; as far as the object tells. */
  time: string | undefined
  /** The request of this page that did it; others are not known here. */
  request: LoggedRequest | undefined
  /** The state; for a deletion the last one. */
  object: KubeObject
  /** Against the state before; empty for a creation and a deletion. */
  changes: Change[]
}

/**
 * @param states as the store keeps them, oldest first
 * @param log what this page asked, to say who
 * @returns newest first
 */
export function revisionsOf(states: readonly KeptState[], log: readonly LoggedRequest[]): Revision[] {
  const requests = writesByRevision(log)
  const revisions: Revision[] = []
  let former: KubeObject | undefined
  for (const { revision, createRevision, object } of states) {
    const shown = object ?? former
    if (shown === undefined) continue
    const request = requests.get(String(revision))
    if (object === undefined) {
      revisions.push({ revision, what: 'deleted', managers: [], time: undefined, request, object: shown, changes: [] })
    } else {
      const created = createRevision === revision
      const entries = managedSince(created ? undefined : former, object)
      revisions.push({
        revision,
        what: created ? 'created' : 'changed',
        managers: [...new Set(entries.map(({ manager = '' }) => manager))],
        time: (created ? object.metadata.creationTimestamp : newestTime(entries)) ?? undefined,
        request,
        object,
        changes: created || former === undefined ? [] : changesBetween(former as unknown as Json, object as unknown as Json),
      })
    }
    former = object
  }
  return revisions.reverse()
}

/** Entries of ownership that a write added or changed. */
function managedSince(former: KubeObject | undefined, object: KubeObject): ManagedFieldsEntry[] {
  const before = former?.metadata.managedFields ?? []
  return (object.metadata.managedFields ?? []).filter((entry) => !before.some((known) => equalJson(known, entry)))
}

function newestTime(entries: readonly ManagedFieldsEntry[]): string | undefined {
  return entries
    .flatMap(({ time }) => time ?? [])
    .sort()
    .at(-1)
}

/** A write is known again by the resourceVersion of the object that answered it. Reads show the same versions, but wrote none. */
function writesByRevision(log: readonly LoggedRequest[]): Map<string, LoggedRequest> {
  const found = new Map<string, LoggedRequest>()
  for (const entry of log) {
    const { method, status = 0, response = '' } = entry
    if (method === 'GET' || status >= 300 || entry.path.includes('dryRun=')) continue
    const version = /"resourceVersion":\s*"(\d+)"/.exec(response)?.[1]
    if (version !== undefined && !found.has(version)) found.set(version, entry)
  }
  return found
}
