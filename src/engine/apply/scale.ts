/**
 * Maps entries of a workload to its Scale and back. See k8s.io/apimachinery,
 * util/managedfields/scalehandler.go.
 */
import type { ManagedFieldsEntry } from '../core/object'
import { difference, hasPath, setOf } from './field-set'
import { decodeManagers, encodeManagers, type Managers, setFields } from './managed-fields'
import type { Path } from './path-elements'

const SCALE_VERSION = 'autoscaling/v1'
const SCALE_REPLICAS: Path = ['f:spec', 'f:replicas']

/** `none`: the version has no scale; undefined: there is no such version. */
export type ReplicasPaths = (apiVersion: string) => Path | 'none' | undefined

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
 * The workload's entries after a write to its Scale. New owners have no time; updaters that keep
 * the replicas get a second entry, since a Scale has another version. Recorded from kube-apiserver
 * 1.31.
 * @param apiVersion the workload's
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
