import { apiVersionOf } from '../core/object'
import type { ReleaseTables } from '../release-tables/tables'
import { conversionOf } from '../releases/conversion'
import { defaultsOf, fillOlderDefaults } from '../releases/defaults'
import { canonicalize } from '../schema/canonical'
import type { StructType, TypeModel } from '../schema/model'
import { type KindRules, rulesWith } from './kind'
import { strategyOfVersion } from './older-versions'
import { type Resource, type Subresource, storagePrefix, uniform } from './resource'

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
  readonly tables: ReleaseTables
  private readonly byPath = new Map<string, Resource>()
  /** Nested, so that a lookup concatenates no key. */
  private readonly byName = new Map<string, Map<string, Map<string, Resource>>>()
  private readonly groups = new Map<string, Map<string, number>>()

  /** Stored versions that are not served. */
  private readonly inside = new Map<string, Resource>()

  /** @param described includes unserved versions; absent: all are served */
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

  /** By plural or singular, ignoring case, as kubectl; group '' is any. */
  named(group: string, version: string, name: string): Resource[] {
    const wanted = name.toLowerCase()
    return [...this.byPath.values()].filter(
      (one) =>
        (group === '' || one.group === group) &&
        one.version === version &&
        (one.resource === wanted || (one.singular || one.kind.toLowerCase()) === wanted),
    )
  }

  /** Includes stored versions that are not served. */
  findInside(group: string, version: string, resource: string): Resource | undefined {
    return this.find(group, version, resource) ?? this.inside.get(`${group}/${version}/${resource}`)
  }

  /** The group's preferred served version. */
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
