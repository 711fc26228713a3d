/**
 * One host per interval compacts etcd, as in kube-apiserver
 * (apiserver/pkg/storage/etcd3/compact.go): hosts compare and swap one key.
 */
import type { EtcdClient } from './client'
import { isCompacted } from './follower'
import { COMPACTION_KEY, type Keys } from './keys'
import type { KeyValue } from './wire'

/** The default of etcd's `--max-txn-ops`. */
const MOST_OPERATIONS = 128

/**
 * @param seen the key's revision at this host's last call; another host has compacted if it changed
 * @returns the key's current revision
 * @throws CallError
 */
export async function compactOnce(
  client: EtcdClient,
  keys: Keys,
  revision: number,
  seen: number,
): Promise<number> {
  const response = await client.transaction({
    compare: [{ key: COMPACTION_KEY, modRevision: seen }],
    success: [{ type: 'put', key: COMPACTION_KEY, value: String(revision) }],
    failure: [{ type: 'range', key: COMPACTION_KEY }],
  })
  if (!response.succeeded) return response.ranges[0]?.[0]?.modRevision ?? 0
  await sweep(client, keys, revision)
  await client.compact(revision).catch((error: unknown) => {
    if (!isCompacted(error)) throw error
  })
  return response.revision
}

/** Deletes bookkeeping keys whose revisions are compacted. */
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
