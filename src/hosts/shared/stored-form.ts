/**
 * Decodes stored objects as a server of another release: drops members its types lack, adds those
 * it always writes. Stored rows change only when a request writes the object.
 */
import { type KubeObject, parseApiVersion } from '../../engine/core/object'
import type { ReleaseTables } from '../../engine/release-tables/tables'
import { canonicalize } from '../../engine/schema/canonical'
import { modelOfEveryRelease } from '../../engine/schema/every-release'
import type { CommitBackend, LoadedChange } from '../../engine/storage/backend'

/** Kinds that the release lacks stay unchanged. */
export function decodedAs(object: KubeObject, tables: ReleaseTables): KubeObject {
  const { group, version } = parseApiVersion(object.apiVersion)
  const type = modelOfEveryRelease(tables).byKind(group, version, object.kind)
  return type === undefined ? object : canonicalize(type, object, 'stored')
}

const decodedChange = (change: LoadedChange, tables: ReleaseTables): LoadedChange => {
  const { object } = change
  if (object === undefined) return change
  const stored = typeof object === 'string' ? (JSON.parse(object) as KubeObject) : object
  return { ...change, object: decodedAs(stored, tables) }
}

/** @returns the changes as a server of the release decodes them */
export const decodedChanges = (
  changes: readonly LoadedChange[],
  tables: ReleaseTables,
): LoadedChange[] => changes.map((change) => decodedChange(change, tables))

/** Decodes commits of other engines to the same store. */
export function decodingBackend(backend: CommitBackend, tables: ReleaseTables): CommitBackend {
  return {
    commit: (batch) => backend.commit(batch),
    compact: (revision, versions) => backend.compact(revision, versions),
    current: () => backend.current?.(),
    onForeignCommit: (run) => backend.onForeignCommit?.(run),
    close: () => backend.close?.(),
    async load(after) {
      const snapshot = await backend.load(after)
      return { ...snapshot, changes: decodedChanges(snapshot.changes, tables) }
    },
  }
}
