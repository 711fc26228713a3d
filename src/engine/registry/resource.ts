/**
 * Served resources: each one value, built from generated discovery tables and the kind's strategy.
 */

import { apiVersionOf, entryOf, type JsonObject, type KubeObject } from '../core/object'
import type { PrinterColumn } from '../encoding/custom-table'
import type { ReleaseTables } from '../release-tables/tables'
import { conversionOf } from '../releases/conversion'
import { defaultsOf, fillOlderDefaults } from '../releases/defaults'
import { canonicalize } from '../schema/canonical'
import type { StructType, TypeModel } from '../schema/model'
import type { StoredObject } from '../storage/storage'
import type { ScalePaths } from '../validation/custom-objects/scale'
import { type KindRules, rulesWith } from './kind'
import { strategyOfVersion } from './older-versions'
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

/** A group in the generated discovery tables. */
export interface DiscoveredGroup {
  metadata: { name?: string; creationTimestamp?: null }
  versions: {
    version: string
    resources: {
      resource: string
      responseKind: { group?: string; version?: string; kind: string }
      scope: string
      singularResource: string
      verbs: string[]
      shortNames?: string[]
      categories?: string[]
      subresources?: {
        subresource: string
        responseKind?: { group?: string; version?: string; kind: string }
        verbs: string[]
      }[]
    }[]
    freshness?: string
  }[]
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

/** The relation of the served version to the stored one. */
function storedForm(
  model: TypeModel,
  group: string,
  apiVersion: string,
  kind: string,
  type: StructType,
): Pick<Resource, 'storedType' | 'storedIn' | 'errorGroup' | 'toHub' | 'fromHub' | 'fill'> {
  const conversion = conversionOf(apiVersion, kind, model)
  if (conversion === undefined) {
    const fill = fillOf(apiVersion, kind)
    return { storedType: type, storedIn: apiVersion, errorGroup: group, ...(fill ? { fill } : {}) }
  }
  const { hub, toHub, fromHub } = conversion
  const storedType = model.byKind(hub.group, hub.version, kind)
  if (storedType === undefined)
    throw new Error(`the type model lacks ${hub.group}/${hub.version} ${kind}`)
  const storedIn = apiVersionOf(hub.group, hub.version)
  return {
    storedType,
    storedIn,
    errorGroup: hub.group,
    toHub,
    fromHub: (object) => canonicalize(type, fromHub(object)),
    fill: fillOf(apiVersion, kind),
  }
}

const fillOf = (apiVersion: string, kind: string): Resource['fill'] =>
  defaultsOf(apiVersion, kind).length > 0
    ? (object) => fillOlderDefaults(apiVersion, object)
    : undefined

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

/** The inputs from which resources are created. */
interface Made {
  tables: ReleaseTables
  model: TypeModel
  rulesOf(group: string, kind: string): KindRules
}

interface Entry {
  group: string
  version: string
  entry: DiscoveredGroup['versions'][number]['resources'][number]
}

function entriesOf(groups: readonly DiscoveredGroup[]): Entry[] {
  return groups.flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map((entry) => ({ group, version, entry })),
    ),
  )
}

/** @throws Error for a kind that the model does not have */
function resourceOf(
  { tables, model, rulesOf }: Made,
  group: string,
  version: string,
  entry: Entry['entry'],
): Resource {
  const kind = entry.responseKind.kind
  const apiVersion = apiVersionOf(group, version)
  const type = model.byKind(
    entry.responseKind.group || group,
    entry.responseKind.version || version,
    kind,
  )
  if (type === undefined) throw new Error(`the type model lacks ${apiVersion} ${kind}`)
  const stored = storedForm(model, group, apiVersion, kind, type)
  const { strategy = {}, ...rules } = rulesOf(stored.errorGroup, kind)
  const { strategy: _, ...ownRules } = rulesOf(group, kind)
  return uniform({
    group,
    version,
    resource: entry.resource,
    singular: entry.singularResource,
    kind,
    apiVersion,
    namespaced: entry.scope === 'Namespaced',
    verbs: entry.verbs,
    tables,
    subresources: new Map(
      (entry.subresources ?? []).map((sub) => [
        sub.subresource,
        subresourceOf(group, version, kind, sub),
      ]),
    ),
    type,
    ...stored,
    strategy: strategyOfVersion(apiVersion, kind, strategy),
    rules: rulesWith(tables.changes, { ...rules, ...ownRules }),
    prefix: storagePrefix(group, entry.resource),
    listKind: `${kind}List`,
    custom: false,
  })
}

function subresourceOf(
  group: string,
  version: string,
  kind: string,
  { subresource: name, responseKind, verbs }: NonNullable<Entry['entry']['subresources']>[number],
): Subresource {
  const own = {
    group: responseKind?.group || (responseKind?.version ? '' : group),
    version: responseKind?.version || version,
  }
  return { name, verbs, kind: { ...own, kind: responseKind?.kind ?? kind } }
}

export class ResourceTable {
  /** Of the release that the server emulates. */
  readonly tables: ReleaseTables
  private readonly byPath = new Map<string, Resource>()
  /** By resource, group and version. Every request looks here, so no lookup concatenates a key. */
  private readonly byName = new Map<string, Map<string, Map<string, Resource>>>()
  /** The number of resources of each version of each group. */
  private readonly groups = new Map<string, Map<string, number>>()

  /** Stored versions that are not served, for internal use. */
  private readonly inside = new Map<string, Resource>()

  /**
   * @param described all versions, including stored ones that are not served; absent: all are
   *   served
   */
  constructor(
    discovery: readonly DiscoveredGroup[],
    made: Made,
    described: readonly DiscoveredGroup[] = [],
  ) {
    this.tables = made.tables
    for (const { group, version, entry } of entriesOf(discovery))
      this.add(resourceOf(made, group, version, entry))
    const hubs = new Set(
      [...this.byPath.values()].map(({ storedIn, kind }) => `${storedIn} ${kind}`),
    )
    for (const { group, version, entry } of entriesOf(described)) {
      if (
        !hubs.has(`${apiVersionOf(group, version)} ${entry.responseKind.kind}`) ||
        this.find(group, version, entry.resource)
      )
        continue
      this.inside.set(
        `${group}/${version}/${entry.resource}`,
        resourceOf(made, group, version, entry),
      )
    }
  }

  add(resource: Resource): void {
    const { group, version } = resource
    const path = `${group}/${version}/${resource.resource}`
    const isNew = !this.byPath.has(path)
    this.byPath.set(path, resource)
    const groups = this.byName.get(resource.resource) ?? new Map<string, Map<string, Resource>>()
    this.byName.set(resource.resource, groups)
    groups.set(group, (groups.get(group) ?? new Map<string, Resource>()).set(version, resource))
    const versions = this.groups.get(group) ?? new Map<string, number>()
    this.groups.set(group, versions)
    versions.set(version, (versions.get(version) ?? 0) + (isNew ? 1 : 0))
  }

  remove({ group, version, resource }: Resource): void {
    if (!this.byPath.delete(`${group}/${version}/${resource}`)) return
    this.byName.get(resource)?.get(group)?.delete(version)
    const versions = this.groups.get(group)
    const left = (versions?.get(version) ?? 0) - 1
    if (left > 0) versions?.set(version, left)
    else versions?.delete(version)
    if (versions?.size === 0) this.groups.delete(group)
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    return this.byName.get(resource)?.get(group)?.get(version)
  }

  /** Finds by plural or singular, ignoring case; group '' means any group, as in kubectl. */
  named(group: string, version: string, name: string): Resource[] {
    const wanted = name.toLowerCase()
    return [...this.byPath.values()].filter(
      (one) =>
        (group === '' || one.group === group) &&
        one.version === version &&
        (one.resource === wanted || (one.singular || one.kind.toLowerCase()) === wanted),
    )
  }

  /** `find` for internal use, which includes stored versions that are not served. */
  findInside(group: string, version: string, resource: string): Resource | undefined {
    return this.find(group, version, resource) ?? this.inside.get(`${group}/${version}/${resource}`)
  }

  /** Any served version of the resource, the group's first. */
  anyVersion(group: string, resource: string): Resource | undefined {
    for (const version of this.groups.get(group)?.keys() ?? []) {
      const found = this.find(group, version, resource)
      if (found) return found
    }
    return undefined
  }

  /** Includes stored versions that are not served. */
  byKind(group: string, version: string, kind: string): Resource | undefined {
    for (const resources of [this.byPath, this.inside]) {
      for (const resource of resources.values()) {
        if (resource.kind === kind && resource.group === group && resource.version === version)
          return resource
      }
    }
    return undefined
  }

  hasGroup(group: string): boolean {
    return this.groups.has(group)
  }

  /** Whether the group has only custom resources. */
  isCustomGroup(group: string): boolean {
    for (const resource of this.byPath.values())
      if (resource.group === group) return resource.custom
    return false
  }

  hasVersion(group: string, version: string): boolean {
    return this.groups.get(group)?.has(version) ?? false
  }

  all(): Iterable<Resource> {
    return this.byPath.values()
  }
}
