/**
 * Makes the tables of described kinds, as scripts/compile-facts.ts does for those of Kubernetes.
 */

import { apiVersionOf, entryOf } from '../core/object'
import { DISCOVERY_ALL, type DiscoveryGroup, type DiscoveryResource } from '../generated/discovery'
import type { Operation } from '../generated/operations'
import type { Kind, KindDescription } from '../registry/kind'
import { type Column, ReleaseTables, type Step } from '../release-tables/tables'
import { operationWords } from '../releases/operations'
import type { OwnVersion } from '../releases/release'

type Described = Kind & { description: KindDescription }

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const STATUS_VERBS = ['get', 'patch', 'update']
const META = 'apimachinery.pkg.apis.meta.v1.'

const NAME: Column = ['Name', 'string', 'name', 'Name of the object.', 0]
const AGE: Column = ['Age', 'string', '', 'Time since the creation of the object.', 0]

const describedIn = (kinds: readonly Kind[]): Described[] =>
  kinds.filter((kind): kind is Described => kind.description !== undefined)

const ownMembers = ({ kind, description }: Described): readonly string[] =>
  entryOf(description.types, kind) ?? []

const hasStatus = (kind: Described): boolean =>
  ownMembers(kind).some((member) => /^status\b/.test(member))

const qualified = ({ group, description: { resource } }: Described): string =>
  group === '' ? resource : `${resource}.${group}`

/** @returns `tables` itself if no kind is described */
export function tablesWith(tables: ReleaseTables, kinds: readonly Kind[]): ReleaseTables {
  const described = describedIn(kinds)
  if (described.length === 0) return tables
  const step: Step = {
    types: { members: valuesOf(described.flatMap(typesOf)) },
    operations: { members: valuesOf(described.flatMap(operationsOf)) },
    tableColumns: {
      members: valuesOf(
        described.map((kind) => [
          qualified(kind),
          [NAME, ...(kind.description.columns ?? []), AGE],
        ]),
      ),
    },
  }
  return new ReleaseTables(tables.release, { before: tables, step }, tables.gates())
}

const valuesOf = (entries: [name: string, value: unknown][]) =>
  Object.fromEntries(entries.map(([name, value]) => [name, { value: value as never }]))

/** The versions of described kinds, without those that Kubernetes has. */
export function describedVersions(kinds: readonly Kind[]): OwnVersion[] {
  const versions = new Map(
    describedIn(kinds).map(({ group, description: { version } }) => [
      apiVersionOf(group, version),
      { group, version },
    ]),
  )
  for (const { metadata, versions: own } of DISCOVERY_ALL)
    for (const { version } of own) versions.delete(apiVersionOf(metadata.name ?? '', version))
  return [...versions.values()]
}

/** New groups are last. */
export function groupsWith(groups: DiscoveryGroup[], kinds: readonly Kind[]): DiscoveryGroup[] {
  return describedIn(kinds).reduce(withKind, groups)
}

function withKind(groups: DiscoveryGroup[], kind: Described): DiscoveryGroup[] {
  const { version } = kind.description
  const added = { version, resources: [discovered(kind)], freshness: 'Current' }
  const isOwn = ({ metadata }: DiscoveryGroup) => (metadata.name ?? '') === kind.group
  if (!groups.some(isOwn))
    return [
      ...groups,
      { metadata: { name: kind.group, creationTimestamp: null }, versions: [added] },
    ]
  return groups.map((group) => {
    if (!isOwn(group)) return group
    const { versions } = group
    if (!versions.some((one) => one.version === version))
      return { ...group, versions: [...versions, added] }
    return {
      ...group,
      versions: versions.map((one) =>
        one.version === version
          ? { ...one, resources: [...one.resources, ...added.resources] }
          : one,
      ),
    }
  })
}

function discovered(kind: Described): DiscoveryResource {
  const { resource, namespaced, shortNames } = kind.description
  const responseKind = { group: '', version: '', kind: kind.kind }
  return {
    resource,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.kind.toLowerCase(),
    verbs: VERBS,
    ...(shortNames ? { shortNames } : {}),
    ...(hasStatus(kind)
      ? { subresources: [{ subresource: 'status', responseKind, verbs: STATUS_VERBS }] }
      : {}),
  }
}

function typesOf(described: Described): [name: string, text: string][] {
  const { group, kind, description } = described
  const { version, types } = description
  const place = `api.${group.split('.')[0] || 'core'}.${version}.`
  const headOf = (name: string, meta: string) => [
    `@kinds ${group}/${version}/${name}`,
    'kind?:s',
    'apiVersion?:s',
    `metadata?:${META}${meta}={}`,
  ]
  const own = Object.entries(types).map(([name, members]): [string, string] => [
    place + name,
    [...(name === kind ? headOf(kind, 'ObjectMeta') : []), ...members].join('\n'),
  ])
  const list = [...headOf(`${kind}List`, 'ListMeta'), `items!:[].${kind}`].join('\n')
  return [...own, [`${place}${kind}List`, list]]
}

type Methods = Record<string, Operation>

function operationsOf(described: Described): [path: string, methods: Methods][] {
  const { group, kind, description } = described
  const { version, resource, namespaced } = description
  const words = operationWords(group, version)
  const root = group === '' ? `/api/${version}` : `/apis/${apiVersionOf(group, version)}`
  const gvk = { group, kind, version }
  const of = (action: string, verb: string, rest: string): Operation => ({
    operationId: `${verb}${words}${rest}`,
    action,
    gvk,
  })
  const scoped = namespaced ? `Namespaced${kind}` : kind
  const place = namespaced ? '/namespaces/{namespace}' : ''
  const collection = `${place}/${resource}`
  const item = `${collection}/{name}`
  const itemMethods = (suffix: string): Methods => ({
    get: of('get', 'read', scoped + suffix),
    put: of('put', 'replace', scoped + suffix),
    patch: of('patch', 'patch', scoped + suffix),
  })
  const paths: [string, Methods][] = [
    ['/', { get: { operationId: `get${words}APIResources` } }],
    [
      collection,
      {
        get: of('list', 'list', scoped),
        post: of('post', 'create', scoped),
        delete: of('deletecollection', 'delete', `Collection${scoped}`),
      },
    ],
    [item, { ...itemMethods(''), delete: of('delete', 'delete', scoped) }],
    [`/watch${collection}`, { get: of('watchlist', 'watch', `${scoped}List`) }],
    [`/watch${item}`, { get: of('watch', 'watch', scoped) }],
  ]
  if (hasStatus(described)) paths.push([`${item}/status`, itemMethods('Status')])
  if (namespaced)
    paths.push(
      [`/${resource}`, { get: of('list', 'list', `${kind}ForAllNamespaces`) }],
      [`/watch/${resource}`, { get: of('watchlist', 'watch', `${kind}ListForAllNamespaces`) }],
    )
  const ofGroup: [string, Methods][] =
    group === ''
      ? []
      : [[`/apis/${group}/`, { get: { operationId: `get${operationWords(group)}APIGroup` } }]]
  return [...ofGroup, ...paths.map(([path, methods]): [string, Methods] => [root + path, methods])]
}
