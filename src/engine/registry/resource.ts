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
  kind: { group: string; version: string; kind: string }
}

/** A subresource with its own kind shares neither versions nor cached encodings. */
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

export interface SlowConversion {
  /**
   * Calls the webhook; then `fromHub` returns the results.
   * @param which `missing`: those without a result; concurrent callers share a call
   * @throws ApiError 500
   */
  prepare(found: readonly (KubeObject | StoredObject)[], which: 'all' | 'missing'): Promise<void>
  /**
   * Like kube-apiserver, takes the object from its watch cache and encodes it.
   * @returns false if it was not cached, but converted as with `all`
   * @throws ApiError 500
   */
  prepareForUpdate(found: StoredObject): Promise<boolean>
  convert(object: KubeObject, apiVersion: string): Promise<KubeObject>
  /** Without defaults and pruning. @throws ApiError 500 */
  convertAsIs(part: JsonObject, apiVersion: string): Promise<JsonObject>
}

export interface Resource {
  group: string
  version: string
  resource: string
  singular: string
  kind: string
  apiVersion: string
  namespaced: boolean
  verbs: readonly string[]
  tables: ReleaseTables
  subresources: ReadonlyMap<string, Subresource>
  type: StructType
  /** Strategies see the stored version. */
  storedType: StructType
  /** `apps/v1` */
  storedIn: string
  /** The group of the stored version. */
  errorGroup: string
  strategy: Strategy
  /** Empty for custom resources. */
  rules: Omit<KindRules, 'strategy'>
  /** `/registry/deployments/`, shared by all versions. */
  prefix: string
  listKind: string
  /** From the stored version to this one; absent if they are the same. */
  fromHub?(object: KubeObject): KubeObject
  toHub?(object: KubeObject): KubeObject
  conversion?: SlowConversion
  /** Sets, in place, defaults that differ from the stored version's. */
  fill?: ((object: KubeObject) => void) | undefined
  /** Custom resources keep the order and members of unstructured objects. */
  custom: boolean
  columns?: PrinterColumn[]
  scale?: ScalePaths
  /** All versions of a custom resource, including those that are not served. */
  versions?: ReadonlyMap<string, Resource>
  /** Changes with the definition; invalidates cached encodings. */
  form?: string
  deprecation?: string
  /** Earlier events are not delivered: the definition changed (recording `objects-watch`). */
  servedSince?: number
  /** No creates: the definition is being deleted. */
  terminating?: boolean
}

/** Differences from `/registry/<plural>/`, visible in StorageError messages. */
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

const SHARED_PREFIX: Record<string, string> = { 'events.events.k8s.io': 'events' }

export function storagePrefix(group: string, resource: string): string {
  const qualified = group === '' ? resource : `${resource}.${group}`
  return `/registry/${entryOf(SHARED_PREFIX, qualified) ?? entryOf(PREFIX_OF, qualified) ?? entryOf(PREFIX_OF, resource) ?? resource}/`
}

export function customStoragePrefix(group: string, plural: string): string {
  return `/registry/${group}/${plural}/`
}

/** kube-apiserver has no watch cache for events. Recorded from kube-apiserver 1.31. */
export const isCached = ({ resource, custom }: Pick<Resource, 'resource' | 'custom'>): boolean =>
  resource !== 'events' || custom

export function storageKey(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${resource.prefix}${namespace}/${name}` : resource.prefix + name
}

export function storageRange(resource: Resource, namespace: string): string {
  return resource.namespaced && namespace !== ''
    ? `${resource.prefix}${namespace}/`
    : resource.prefix
}

/** One order of members gives all resources one hidden class in V8. */
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
