/**
 * Served resources: each one value, built from generated discovery tables and the kind's strategy.
 */

import { apiVersionOf, entryOf, type JsonObject, type KubeObject } from '../core/object'
import type { PrinterColumn } from '../encoding/custom-table'
import type { ReleaseTables } from '../release-tables/tables'
import type { StructType } from '../schema/model'
import type { StoredObject } from '../storage/storage'
import type { ScalePaths } from '../validation/custom-objects/scale'
import type { KindRules } from './kind'
import type { Strategy } from './strategy'

export interface Subresource {
  name: string
  verbs: readonly string[]
  /** The kind of its bodies; that of the resource if absent. */
  kind: { group: string; version: string; kind: string }
}

/**
 * The resource of a subresource's own kind: its objects have no versions and cached texts of the
 * main one.
 */
export function asOwnKind(
  resource: Resource,
  kind: Subresource['kind'],
  type: StructType,
): Resource {
  const { toHub: _, fromHub: __, ...own } = resource
  return {
    ...own,
    ...kind,
    type,
    storedType: type,
    apiVersion: apiVersionOf(kind.group, kind.version),
    subresources: new Map(),
  }
}

/** Versions with a conversion webhook, which is asynchronous. */
export interface SlowConversion {
  /**
   * Converts objects into this version with one webhook call; `fromHub` returns the results
   * afterwards.
   * @param which `missing`: only those without a result; concurrent callers share a call
   * @throws ApiError 500
   */
  prepare(found: readonly (KubeObject | StoredObject)[], which: 'all' | 'missing'): Promise<void>
  /**
   * Prepares a stored object for an update. kube-apiserver takes it from the version's watch cache
   * and encodes it, to find writes without a change.
   * @returns whether the watch cache had the object; if not, it is converted as with `all`
   * @throws ApiError 500
   */
  prepareForUpdate(found: StoredObject): Promise<boolean>
  /** Converts an object of any version into the given one. @throws ApiError 500 */
  convert(object: KubeObject, apiVersion: string): Promise<KubeObject>
  /**
   * The same for an object that may be partial: without defaults and pruning.
   * @throws ApiError 500
   */
  convertAsIs(part: JsonObject, apiVersion: string): Promise<JsonObject>
}

export interface Resource {
  group: string
  version: string
  /** Plural name in the path. */
  resource: string
  singular: string
  kind: string
  apiVersion: string
  namespaced: boolean
  verbs: readonly string[]
  /** Of the release that the server emulates. */
  tables: ReleaseTables
  subresources: ReadonlyMap<string, Subresource>
  type: StructType
  /**
   * The type of the stored version, which strategies see; kinds with several versions store one.
   */
  storedType: StructType
  /** The stored version: `apps/v1`. */
  storedIn: string
  /** The group in errors about objects: that of the stored version. */
  errorGroup: string
  strategy: Strategy
  /** The further rules of a built-in kind; empty for custom resources. */
  rules: Omit<KindRules, 'strategy'>
  /** Storage prefix, `/registry/deployments/`, shared by all versions of a kind. */
  prefix: string
  /** `kind` and `apiVersion` of list documents. */
  listKind: string
  /**
   * Converts from the stored version to this one; `toHub` back. Absent: this is the stored version.
   */
  fromHub?(object: KubeObject): KubeObject
  toHub?(object: KubeObject): KubeObject
  /** Custom resources with a conversion webhook: `fromHub` needs `prepare` first. */
  conversion?: SlowConversion
  /** Sets, in place, defaults of this version that differ from those of the stored one. */
  fill?: ((object: KubeObject) => void) | undefined
  /** Custom resources keep the order and members of unstructured objects. */
  custom: boolean
  /** Custom resources: printer columns of this version. */
  columns?: PrinterColumn[]
  scale?: ScalePaths
  /** All versions of the definition by name, including those that are not served. */
  versions?: ReadonlyMap<string, Resource>
  /** Identifies the form in which stored objects are shown; it changes with the definition. */
  form?: string
  /** The warning of every response in this version. */
  deprecation?: string
  /**
   * The revision since which it is served in this form; earlier events are not delivered (recording
   * `objects-watch`).
   */
  servedSince?: number
  /** Its definition is being deleted, so creates are rejected. */
  terminating?: boolean
}

/** Storage prefixes that differ from `/registry/<plural>/`, as in messages of StorageError. */
const PREFIX_OF: Record<string, string> = {
  podsecuritypolicies: 'podsecuritypolicy',
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  ingresses: 'ingress',
  replicationcontrollers: 'controllers',
  'customresourcedefinitions.apiextensions.k8s.io':
    'apiextensions.k8s.io/customresourcedefinitions',
  'apiservices.apiregistration.k8s.io': 'apiregistration.k8s.io/apiservices',
}

/** Two groups with the same stored objects. */
const SHARED_PREFIX: Record<string, string> = { 'events.events.k8s.io': 'events' }

export function storagePrefix(group: string, resource: string): string {
  const qualified = group === '' ? resource : `${resource}.${group}`
  return `/registry/${entryOf(SHARED_PREFIX, qualified) ?? entryOf(PREFIX_OF, qualified) ?? entryOf(PREFIX_OF, resource) ?? resource}/`
}

/** Custom resources are stored below the name of their group. */
export function customStoragePrefix(group: string, plural: string): string {
  return `/registry/${group}/${plural}/`
}

/**
 * kube-apiserver reads events without its watch cache, so other rules for resourceVersion apply.
 * Recorded from kube-apiserver 1.31.
 */
export const isCached = ({ resource, custom }: Pick<Resource, 'resource' | 'custom'>): boolean =>
  resource !== 'events' || custom

export function storageKey(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.prefix}${namespace}/${name}` : resource.prefix + name
}

/** The storage prefix of a list or watch. */
export function storageRange(resource: Resource, namespace: string): string {
  return resource.namespaced && namespace !== ''
    ? `${resource.prefix}${namespace}/`
    : resource.prefix
}

/** A copy with all members in one order, so that V8 gives all resources one hidden class. */
export function uniform(resource: Resource): Resource {
  return {
    group: resource.group,
    version: resource.version,
    resource: resource.resource,
    singular: resource.singular,
    kind: resource.kind,
    apiVersion: resource.apiVersion,
    namespaced: resource.namespaced,
    verbs: resource.verbs,
    tables: resource.tables,
    subresources: resource.subresources,
    type: resource.type,
    storedType: resource.storedType,
    storedIn: resource.storedIn,
    errorGroup: resource.errorGroup,
    strategy: resource.strategy,
    rules: resource.rules,
    prefix: resource.prefix,
    listKind: resource.listKind,
    fromHub: resource.fromHub,
    toHub: resource.toHub,
    conversion: resource.conversion,
    fill: resource.fill,
    custom: resource.custom,
    columns: resource.columns,
    scale: resource.scale,
    versions: resource.versions,
    form: resource.form,
    deprecation: resource.deprecation,
    servedSince: resource.servedSince,
    terminating: resource.terminating,
  }
}
