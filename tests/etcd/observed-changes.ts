/** Completes a history with the changes that etcd itself reports on a watch. */
import type { KubeObject } from '../../src/engine/core/object'
import { EtcdClient } from '../../src/hosts/node/etcd/client'
import { isWorkedOn, stateOf } from '../robustness/client'
import type { Change, History } from '../robustness/history'

const PREFIX = '/registry/configmaps/'
const decoder = new TextDecoder()

interface Observation {
  /** Completes the history's changes. @returns the last revision */
  finish(): Promise<number>
}

/** @param now the clock of the history's calls */
export async function observe(
  url: string,
  history: History,
  now: () => number,
): Promise<Observation> {
  const client = new EtcdClient([url])
  const { revision } = await client.range({ key: PREFIX })
  history.begun = revision
  let last = revision
  const stop = client.watch('/registry/', '/registry0', revision + 1, {
    response: ({ events }) => {
      for (const { key, modRevision, value, deleted } of events) {
        last = modRevision
        const name = key.slice(PREFIX.length)
        if (!key.startsWith(PREFIX) || !isWorkedOn(name)) continue
        history.changes.push({
          revision: modRevision,
          at: now(),
          key: name,
          state: deleted ? undefined : stateAt(value, modRevision),
        })
      }
    },
    end: (error) => {
      throw error
    },
  })
  return {
    async finish() {
      const { items } = await client.range({ key: '/registry/~/etcd/latest', keysOnly: true })
      const newest = items[0]?.modRevision ?? 0
      while (last < newest) await new Promise((resolve) => setTimeout(resolve, 10))
      stop()
      client.close()
      settleTimes(history)
      return last
    },
  }
}

function stateAt(value: Uint8Array, revision: number) {
  const object = JSON.parse(decoder.decode(value)) as KubeObject
  return { ...stateOf(object), revision }
}

/**
 * The watch reports a change after it became durable. A client may have seen it earlier, and every
 * earlier revision was durable by then.
 */
function settleTimes({ changes, operations, streams, listings }: History): void {
  const seen = new Map<number, number>()
  const note = (revision: number, at: number) =>
    seen.set(revision, Math.min(at, seen.get(revision) ?? Number.POSITIVE_INFINITY))
  for (const { result, returned, key, intent } of operations) {
    if (result.type !== 'done') continue
    if ('revision' in result.state) note(result.state.revision, returned)
    else if (intent.verb === 'delete') note(deletionOf(changes, key, result.state.uid), returned)
  }
  for (const stream of streams)
    for (const one of stream.seen)
      note(one.type === 'BOOKMARK' ? one.revision : one.state.revision, one.at)
  for (const { pages, returned } of listings)
    for (const { revision } of pages) note(revision, returned)
  let latest = Number.POSITIVE_INFINITY
  for (const change of changes.toReversed()) {
    change.at = Math.min(change.at, seen.get(change.revision) ?? Number.POSITIVE_INFINITY, latest)
    latest = change.at
  }
}

/** Returns the revision that deleted the object of a uid, or 0. */
function deletionOf(changes: Change[], key: string, uid: string): number {
  const chain = changes.filter((change) => change.key === key)
  return (
    chain.find((change, i) => change.state === undefined && chain[i - 1]?.state?.uid === uid)
      ?.revision ?? 0
  )
}
