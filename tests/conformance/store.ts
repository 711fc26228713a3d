/** What holds the objects of a replay: memory, or an etcd that KUBETAB_REPLAY_ETCD names (`npm run replay -- --etcd`). */
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { EtcdClient } from '../../src/hosts/node/etcd/client'
import { openEtcdStorage } from '../../src/hosts/node/etcd/storage'
import { otherWork, type Settle } from './in-process'

export const ETCD = 'KUBETAB_REPLAY_ETCD'

let clusters = 0

export async function storeOfReplay(
  failed: (message: string) => void,
): Promise<{ storage: Storage; settle: Settle }> {
  const url = process.env[ETCD]
  if (url === undefined) return { storage: createMemoryStorage(), settle: otherWork }
  const log = { error: (message: string, cause: unknown) => failed(`${message}: ${String(cause)}`) }
  const prefix = `/replay-${process.pid}-${++clusters}`
  const storage = await openEtcdStorage({ client: new EtcdClient([url]), prefix, log })
  return watched(storage)
}

/** Methods that wait for etcd: the simulated clock must not advance meanwhile. */
const SLOW = new Set(['transaction', 'newest', 'get', 'range', 'outcome', 'compact'])
/** So often in a row nothing must be under way: between two calls there are turns of the event loop. */
const QUIET_LOOKS = 3

function watched(storage: Storage): { storage: Storage; settle: Settle } {
  let underWay = 0
  const proxy = new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (!SLOW.has(String(name))) return member.bind(target)
      return (...given: unknown[]) => {
        underWay++
        return (member.apply(target, given) as Promise<unknown>).finally(() => underWay--)
      }
    },
  })
  const settle = async () => {
    for (let quiet = 0; quiet < QUIET_LOOKS; ) {
      await otherWork()
      quiet = underWay === 0 ? quiet + 1 : 0
    }
  }
  return { storage: proxy, settle }
}
