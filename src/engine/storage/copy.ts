import { createMemoryStorage } from './memory'
import type { Storage } from './storage'

/** In memory. Shares the immutable objects. Includes the server's keys, so that credentials stay valid. */
export async function copyOfStorage(origin: Storage): Promise<Storage> {
  const { revision, items } = await origin.range('/registry/')
  const own = await origin.range('/kubetab/')
  const changes = [...items, ...own.items].map(({ key, object, revision, createRevision }) => ({
    key,
    object,
    revision,
    createRevision,
  }))
  changes.sort((a, b) => a.revision - b.revision)
  return createMemoryStorage({
    initial: { revision, compacted: revision, complete: true, changes, requests: [] },
  })
}
