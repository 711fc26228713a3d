import { isJsonObject } from '../../../engine/core/object'
import type { AuditEvent } from '../../../hosts/shared/channel'
import { isByPerson, type SeenRequest } from '../../../lessons/check'

export type EventSelection = 'people' | 'writes' | 'all'

export interface AuditEntry {
  key: string
  /** From 1, in the order of first use. */
  number: number
  event: AuditEvent
  user: string
  /** undefined before the response. */
  code: number | undefined
  /** Milliseconds since the epoch. */
  at: number
  words: string
}

const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection']

/**
 * @param filter words that must all occur
 * @returns the newest first
 */
export function entriesOf(
  events: readonly AuditEvent[],
  selection: EventSelection,
  filter: string,
): AuditEntry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return events
    .filter((event) => isSelected(event, selection))
    .map(entryOf)
    .filter((entry) => words.every((word) => entry.words.includes(word)))
    .reverse()
}

function isSelected(event: AuditEvent, selection: EventSelection): boolean {
  if (selection === 'all') return true
  if (!WRITES.includes(event.verb)) return false
  return selection === 'writes' || isByPerson(event as unknown as SeenRequest)
}

/** Keeps entries equal across renders. */
const entries = new WeakMap<AuditEvent, AuditEntry>()
let lastNumber = 0

function entryOf(event: AuditEvent): AuditEntry {
  const known = entries.get(event)
  if (known !== undefined) return known
  const { auditID, stage, level, verb, requestURI, stageTimestamp } = event
  const user =
    isJsonObject(event.user) && typeof event.user.username === 'string' ? event.user.username : ''
  const code =
    isJsonObject(event.responseStatus) && typeof event.responseStatus.code === 'number'
      ? event.responseStatus.code
      : undefined
  const entry = {
    key: `${auditID} ${stage}`,
    number: ++lastNumber,
    event,
    user,
    code,
    at: typeof stageTimestamp === 'string' ? Date.parse(stageTimestamp) : 0,
    words: `${verb} ${user} ${requestURI} ${code ?? ''} ${level} ${stage}`.toLowerCase(),
  }
  entries.set(event, entry)
  return entry
}

const OMITTED = ['kind', 'apiVersion']

/** Objects and lists as JSON on one line. */
export function membersOf(event: object): [name: string, text: string][] {
  return Object.entries(event)
    .filter(([name]) => !OMITTED.includes(name))
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
}
