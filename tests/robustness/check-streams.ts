/**
 * Guarantees of a watch:
 * - It sends every change after its start revision, in order and once.
 * - A bookmark means that all changes up to its revision were sent.
 * - An object that leaves the selection is sent as DELETED, one that enters it as ADDED.
 */
import { type Finding, type Seen, type State, type Stream, selects } from './history'
import { sameState, stateText, type Timeline } from './timeline'

interface Reported {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  key: string
  state: State
}

export function checkStream(stream: Stream, timeline: Timeline): Finding | undefined {
  if (stream.after > 0) return follow(stream, timeline, stream.after, 0)
  // With what is there: of any revision from its opening to its first word.
  const newest = timeline.durableAt(stream.seen[0]?.at ?? Number.POSITIVE_INFINITY)
  let complaint: Finding | undefined
  for (let begun = newest; begun >= timeline.durableAt(stream.opened); begun--) {
    const initial = timeline.list(stream.scope, begun)
    const first = stream.seen.slice(0, initial.length)
    const isInitial = first.every(
      (seen, i) =>
        seen.type === 'ADDED' && sameState(seen.state, (initial[i] as { state: State }).state),
    )
    const cut = first.length < initial.length
    if (!isInitial || (cut && stream.lasted)) continue
    const finding = cut ? undefined : follow(stream, timeline, begun, initial.length)
    if (finding === undefined) return undefined
    complaint ??= finding
  }
  return complaint ?? finding(stream, 'began with what no revision was', stream.seen[0])
}

/** Everything from a place in the stream on, held against the changes behind a revision. */
function follow(
  stream: Stream,
  timeline: Timeline,
  after: number,
  skipped: number,
): Finding | undefined {
  const end = Number.POSITIVE_INFINITY
  const expected = timeline
    .between(after, end)
    .flatMap((change) => reportedBy(change.key, change.revision, timeline, stream) ?? [])
  let next = 0
  for (const seen of stream.seen.slice(skipped)) {
    const due = expected[next]
    if (seen.type === 'BOOKMARK') {
      if (due && due.state.revision <= seen.revision) {
        return finding(
          stream,
          `had a bookmark of ${seen.revision} before ${reportedText(due)} was sent`,
          seen,
          due.key,
        )
      }
      if (timeline.durableAt(seen.at) < seen.revision && timeline.change(seen.revision)) {
        return finding(
          stream,
          `had a bookmark of ${seen.revision}, which was not durable yet`,
          seen,
        )
      }
    } else {
      if (due === undefined)
        return finding(stream, `sent ${reportedText(seen)}, but nothing was due`, seen, seen.key)
      if (due.type !== seen.type || due.key !== seen.key || !sameState(due.state, seen.state)) {
        return finding(
          stream,
          `sent ${reportedText(seen)} where ${reportedText(due)} was due`,
          seen,
          seen.key,
          due.key,
        )
      }
      const change = timeline.change(seen.state.revision)
      if (change && change.at > seen.at)
        return finding(stream, `sent ${reportedText(seen)} before it was durable`, seen, seen.key)
      next++
    }
  }
  const left = expected[next]
  if (stream.lasted && left)
    return finding(
      stream,
      `never sent ${reportedText(left)}, though it was open until the end`,
      undefined,
      left.key,
    )
  return undefined
}

/** What the change of a revision looks like through the stream's selection. */
function reportedBy(
  key: string,
  revision: number,
  timeline: Timeline,
  { scope }: Stream,
): Reported | undefined {
  const before = timeline.at(key, revision - 1)?.state
  const now = timeline.at(key, revision)?.state
  const was = before !== undefined && selects(scope, key, before)
  const is = now !== undefined && selects(scope, key, now)
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', key, state: now }
  return was ? { type: 'DELETED', key, state: { ...before, revision } } : undefined
}

const reportedText = ({ type, key, state }: Reported): string =>
  `${type} ${key} ${stateText(state)}`

function finding(
  stream: Stream,
  message: string,
  seen: Seen | undefined,
  ...keys: string[]
): Finding {
  const { client, server, after, opened, seen: all } = stream
  return {
    rule: 'watches send every change once, in order',
    message: `a watch of ${client} on ${server} from ${after === 0 ? 'what is there' : `revision ${after}`} ${message}`,
    keys,
    at: seen?.at ?? all.at(-1)?.at ?? opened,
  }
}
