/** One host in an interval has etcd discard its history, as kube-apiserver arranges it: by a key that only one of them can write. */
import type { EtcdClient } from './client'
import { isCompacted } from './follower'
import { COMPACTION_KEY, type Keys } from './keys'
import type { KeyValue } from './wire'

/** As many operations as a transaction of etcd may have. */
const MOST_OPERATIONS = 128

/**
 * @param seen where the key stood when this host last looked: if it stands elsewhere another host has compacted since
 * @returns where it stands now
 * @throws CallError
 */
export async function compactOnce(
  client: EtcdClient,
  keys: Keys,
  revision: number,
  seen: number,
): Promise<number> {
  const answer = await client.transaction({
    compare: [{ key: COMPACTION_KEY, modRevision: seen }],
    success: [{ type: 'put', key: COMPACTION_KEY, value: String(revision) }],
    failure: [{ type: 'range', key: COMPACTION_KEY }],
  })
  if (!answer.succeeded) return answer.ranges[0]?.[0]?.modRevision ?? 0
  await sweep(client, keys, revision)
  await client.compact(revision).catch((error: unknown) => {
    if (!isCompacted(error)) throw error
  })
  return answer.revision
}

/** Takes away notes about what no one can request any more. */
async function sweep(client: EtcdClient, keys: Keys, revision: number): Promise<void> {
  for (const { key, end } of keys.forgettable()) {
    const { items } = await client.range({ key, end, keysOnly: true, maxModRevision: revision })
    for (let i = 0; i < items.length; i += MOST_OPERATIONS) {
      const some: KeyValue[] = items.slice(i, i + MOST_OPERATIONS)
      await client.transaction({
        compare: [],
        success: some.map((item) => ({ type: 'delete', key: item.key })),
        failure: [],
      })
    }
  }
}
