/**
 * The requests of clients and their responses, checked against a simple model of the ConfigMaps of
 * one namespace.
 */
import type { Event, Stored } from './exchange'

export interface Attempt {
  /** What the write brings; the content of a stored version names the last one. */
  token: string
  name: string
  verb: 'create' | 'update' | 'merge' | 'json' | 'apply' | 'delete' | 'collection'
  /** The version that the write demanded, where it did. */
  onto?: string
  outcome: 'acknowledged' | 'rejected' | 'unknown'
  /** The newest resourceVersion in a response before this request began. */
  known: number
  /** The object in the response, or the uid for a deletion. */
  object?: Stored
  uid?: string
}

/** A read, and the newest resourceVersion in a response before it began. */
export interface Look {
  known: number
  name?: string
  /** Of one object; undefined if it was not there. */
  object?: Stored
  /** Of a list, whole. */
  list?: Stored
}

/** The events of one watch connection. */
export interface Followed {
  watcher: string
  /** Behind this version it was to begin. */
  from: number
  events: Event[]
}

export interface Verdict {
  faults: string[]
  counts: Record<string, number>
}

interface Version {
  revision: number
  type: string
  object: Stored
}

const revisionOf = ({ metadata }: Stored): number => Number(metadata.resourceVersion)

/** The data of a version by a write: enough of it that a half of it shows. */
export function contentOf(token: string): Record<string, string> {
  const [, number = '0'] = token.split('-')
  return { token, again: token, filling: `${token};`.repeat(1 + (Number(number) % 40)) }
}

/** Compares everything that was seen with everything that was tried. */
export function evaluate(
  attempts: readonly Attempt[],
  looks: readonly Look[],
  followed: readonly Followed[],
): Verdict {
  const faults: string[] = []
  const fault = (text: string) => void (faults.length < 30 && faults.push(text))
  const counts: Record<string, number> = {}
  const count = (what: string, by = 1) => void (counts[what] = (counts[what] ?? 0) + by)

  // A resourceVersion has one content, and a revision has one object.
  const contents = new Map<string, string>()
  const seen = (object: Stored, by: string) => {
    const { name, resourceVersion, deletionTimestamp } = object.metadata
    const { kind: _, apiVersion: __, ...rest } = object
    const text = JSON.stringify(rest)
    const key = `${resourceVersion} of ${name}${deletionTimestamp ? ', going' : ''}`
    const before = contents.get(key)
    if (before !== undefined && before !== text)
      fault(`${by} shows ${key} as ${text}, before it was ${before}`)
    contents.set(key, text)
    count('objects compared')
    const { token = '', again, filling } = object.data ?? {}
    const whole = contentOf(token)
    if (again !== token || filling !== whole.filling)
      fault(`${by} shows half a write: ${text.slice(0, 400)}`)
  }

  // The history: the events of all watches.
  const history = new Map<number, Version>()
  const spans: [number, number][] = []
  for (const { watcher, from, events } of followed) {
    let last = from
    for (const { type, object } of events) {
      if (type === 'ERROR') continue
      const revision = revisionOf(object)
      const isOutOfOrder = type === 'BOOKMARK' ? revision < last : revision <= last
      if (isOutOfOrder) fault(`${watcher}: ${type} at ${revision} came behind ${last}`)
      last = Math.max(last, revision)
      if (type === 'BOOKMARK') continue
      count('events')
      // A deletion shows the last content under the revision of the deletion.
      seen(object, `an event of ${watcher}`)
      const other = history.get(revision)
      if (other && (other.type !== type || other.object.metadata.name !== object.metadata.name))
        fault(
          `${watcher}: ${revision} is ${type} of ${object.metadata.name}, elsewhere ${other.type} of ${other.object.metadata.name}`,
        )
      history.set(revision, { revision, type, object })
    }
    if (last > from) spans.push([from, last])
  }
  for (const { watcher, from, events } of followed) {
    const own = new Set(events.map(({ object }) => revisionOf(object)))
    const last = Math.max(from, ...own)
    for (const { revision, type, object } of history.values())
      if (revision > from && revision <= last && !own.has(revision))
        fault(
          `${watcher}, from ${from} to ${last}, did not receive ${type} of ${object.metadata.name} at ${revision}`,
        )
    count('connections of watches')
  }
  const isCovered = (from: number, to: number): boolean => {
    let reached = from
    for (const [begin, end] of spans.toSorted(([a], [b]) => a - b))
      if (begin <= reached) reached = Math.max(reached, end)
    return reached >= to
  }
  const versions = [...history.values()].sort((a, b) => a.revision - b.revision)
  const end = versions.at(-1)?.revision ?? 0
  const begin = Math.min(...spans.map(([from]) => from))
  if (!isCovered(begin, end)) fault(`the watches together do not reach from ${begin} to ${end}`)

  const byName = new Map<string, Version[]>()
  for (const version of versions) {
    const { name } = version.object.metadata
    byName.set(name, [...(byName.get(name) ?? []), version])
  }
  const byToken = new Map(attempts.map((attempt) => [attempt.token, attempt]))
  const introduced = new Set<string>()
  const removed = new Map<string, number>()
  for (const [name, ofName] of byName) {
    let before: Version | undefined
    for (const version of ofName) {
      const { revision, type, object } = version
      const token = object.data?.token ?? ''
      const isThere = before !== undefined && before.type !== 'DELETED'
      if ((type === 'ADDED') === isThere)
        fault(`${type} of ${name} at ${revision} follows ${before?.type} at ${before?.revision}`)
      if (type === 'DELETED') {
        removed.set(name, (removed.get(name) ?? 0) + 1)
        if (before && token !== before.object.data?.token)
          fault(`${name} went at ${revision} with ${token}, not as it was`)
      } else if (type === 'ADDED' || token !== before?.object.data?.token) {
        const attempt = byToken.get(token)
        if (attempt === undefined || attempt.name !== name)
          fault(`${name} at ${revision} has ${token}, which no client wrote`)
        else {
          if (attempt.outcome === 'rejected')
            fault(`${attempt.verb} ${token} was rejected, but exists at ${revision}`)
          if (introduced.has(token))
            fault(`${attempt.verb} ${token} happened twice, again at ${revision}`)
          introduced.add(token)
          if (attempt.verb === 'create' && type !== 'ADDED')
            fault(`${token} was to be created and replaced ${before?.revision}`)
          if (
            attempt.onto !== undefined &&
            attempt.onto !== before?.object.metadata.resourceVersion
          )
            fault(
              `${attempt.verb} ${token} was to follow ${attempt.onto} and followed ${before?.object.metadata.resourceVersion}`,
            )
          if (
            attempt.outcome === 'acknowledged' &&
            attempt.object &&
            revisionOf(attempt.object) !== revision
          )
            fault(`${token} was acknowledged as ${revisionOf(attempt.object)} and is ${revision}`)
          if (revision <= attempt.known)
            fault(`${token} is at ${revision}, although ${attempt.known} was known before it began`)
        }
      } else
        fault(
          `${name} changed at ${revision} without a write: ${JSON.stringify(object).slice(0, 300)}`,
        )
      before = version
    }
  }

  for (const attempt of attempts) {
    count(`writes ${attempt.outcome}`)
    if (attempt.outcome === 'unknown' && introduced.has(attempt.token)) count('of these happened')
    if (attempt.object && attempt.outcome === 'acknowledged')
      seen(attempt.object, `the response to ${attempt.verb}`)
    if (attempt.outcome !== 'acknowledged' || attempt.verb === 'collection') continue
    if (attempt.verb === 'delete') {
      const gone = versions.some(
        ({ type, object }) => type === 'DELETED' && object.metadata.uid === attempt.uid,
      )
      if (attempt.uid && !gone)
        fault(
          `the deletion of ${attempt.name} (${attempt.uid}) was acknowledged and did not happen`,
        )
    } else if (!introduced.has(attempt.token) && attempt.object?.data?.token === attempt.token)
      fault(
        `${attempt.verb} ${attempt.token} of ${attempt.name} was acknowledged as ${revisionOf(attempt.object)} and is nowhere`,
      )
  }
  for (const [name, times] of removed) {
    const tries = attempts.filter(
      (attempt) =>
        attempt.outcome !== 'rejected' &&
        (attempt.verb === 'collection' || (attempt.verb === 'delete' && attempt.name === name)),
    ).length
    if (times > tries) fault(`${name} went ${times} times, for ${tries} deletions`)
  }

  /** What a list at a revision has to show. */
  const stateAt = (revision: number): string => {
    const there: string[] = []
    for (const [name, ofName] of byName) {
      const last = ofName.findLast((version) => version.revision <= revision)
      if (last && last.type !== 'DELETED') there.push(`${name}@${last.revision}`)
    }
    return there.sort().join(' ')
  }
  for (const { known, name, object, list } of looks) {
    if (list) {
      count('lists')
      const revision = Number(list.metadata.resourceVersion)
      if (revision < known)
        fault(`a list is at ${revision}, although ${known} was known before it began`)
      for (const item of list.items ?? []) seen(item, `a list at ${revision}`)
      const shown = (list.items ?? []).map(
        ({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`,
      )
      const is = shown.sort().join(' ')
      const must = stateAt(revision)
      if (is !== must) fault(`a list at ${revision} shows ${is} instead of ${must}`)
    } else if (name !== undefined) {
      count('reads')
      if (object) seen(object, 'a read')
      const ofName = byName.get(name) ?? []
      const at = object ? ofName.findIndex(({ revision }) => revision === revisionOf(object)) : -1
      if (object && at < 0) fault(`a read shows ${name}@${revisionOf(object)}, which never was`)
      const ended = object
        ? (ofName[at + 1]?.revision ?? Number.POSITIVE_INFINITY)
        : absentUntil(ofName, known)
      if (ended <= known)
        fault(
          `a read shows ${name} as ${object ? revisionOf(object) : 'absent'}, although ${known} was known`,
        )
    }
  }
  counts.versions = versions.length
  return { faults, counts }
}

/** When what was last absent at the version, or is absent later, ended to be; never, if it still is. */
function absentUntil(ofName: readonly Version[], known: number): number {
  const last = ofName.findLast(({ revision }) => revision <= known)
  if (last === undefined || last.type === 'DELETED') return Number.POSITIVE_INFINITY
  return ofName.some(({ revision, type }) => revision > known && type === 'DELETED')
    ? Number.POSITIVE_INFINITY
    : known
}
