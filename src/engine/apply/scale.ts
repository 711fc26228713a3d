/**
 * Ownership through `scale`: the number of replicas of a workload is owned through an object of another kind. Entries of the
 * workload are shown as entries of its Scale, and what became of those is carried back (recorded).
 */
import type { ManagedFieldsEntry } from '../object'
import { difference, hasPath, setOf } from './field-set'
import { decodeManagers, encodeManagers, type Managers, setFields } from './managed-fields'
import type { Path } from './path-elements'

const SCALE_VERSION = 'autoscaling/v1'
const SCALE_REPLICAS: Path = ['f:spec', 'f:replicas']

/** Where a version of the workload keeps its number of replicas. `none`: it has no scale; undefined: there is no such version. */
export type ReplicasPaths = (apiVersion: string) => Path | 'none' | undefined

/** Who owns the number of replicas, as entries of the Scale. */
export function scaleEntries(
  entries: readonly ManagedFieldsEntry[] | undefined,
  pathOf: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const scale: Managers = new Map()
  for (const [identity, manager] of decodeManagers(entries ?? [])) {
    const path = pathOf(manager.apiVersion)
    if (path === undefined || path === 'none' || !hasPath(manager.fields, path)) continue
    scale.set(identity, { ...manager, apiVersion: SCALE_VERSION, fields: setOf(SCALE_REPLICAS) })
  }
  return encodeManagers(scale)
}

/**
 * The workload's entries after a write to its Scale: who lost the number there loses it here, who won it gets an entry of its own,
 * without a time. What else of a Scale somebody came to own is of no matter to the workload. Updaters who keep the number are not
 * known again, since the Scale is of another version: the number moves from their entry to one beside it (recorded).
 * @param apiVersion the workload's version through which the write came
 */
export function workloadEntries(
  entries: readonly ManagedFieldsEntry[] | undefined,
  scale: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  pathOf: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const managers = decodeManagers(entries ?? [])
  const owners = decodeManagers(scale ?? [])
  for (const [identity, manager] of managers) {
    const path = pathOf(manager.apiVersion)
    if (path === undefined) managers.delete(identity)
    if (path === undefined || path === 'none' || !hasPath(manager.fields, path)) continue
    if (owners.delete(identity)) continue
    setFields(managers, identity, manager, difference(manager.fields, setOf(path)))
  }
  const replicas = pathOf(apiVersion)
  if (replicas === undefined || replicas === 'none') return encodeManagers(managers)
  for (const [identity, owner] of owners) {
    if (hasPath(owner.fields, SCALE_REPLICAS))
      managers.set(identity, { ...owner, apiVersion, time: undefined, fields: setOf(replicas) })
  }
  return encodeManagers(managers)
}
