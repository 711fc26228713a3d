/** See kubernetes.io, "Discovery API". Documents recorded from kube-apiserver 1.31. */

import { API_DOMAIN } from '../core/names'
import { apiVersionOf, type JsonObject } from '../core/object'
import type { DiscoveryGroup, DiscoveryResource, DiscoveryVersion } from '../generated/discovery'
import { sha256 } from './sha256'

/** Only if it is not the group's first version with the resource. */
export interface StoredAs {
  group: string
  /** Empty: not published. */
  version: string
}

export interface ServedResource extends DiscoveryResource {
  storedAs?: StoredAs
}

export interface ServedVersion extends DiscoveryVersion {
  resources: ServedResource[]
}

/** Enabled versions, the preferred one first. */
export interface ServedGroup extends DiscoveryGroup {
  versions: ServedVersion[]
}

const nameOf = ({ metadata }: ServedGroup): string => metadata.name ?? ''

const STORED_AS: Record<string, StoredAs> = {
  [`events.events.${API_DOMAIN}`]: { group: '', version: 'v1' },
  [`customresourcedefinitions.apiextensions.${API_DOMAIN}`]: {
    group: `apiextensions.${API_DOMAIN}`,
    version: 'v1beta1',
  },
}

/**
 * Versions of definitions precede built-in ones; custom groups are last, by name. Recorded from
 * kube-apiserver 1.31.
 */
export function withCustomGroups(builtin: ServedGroup[], custom: ServedGroup[]): ServedGroup[] {
  const merged = builtin.map((group) => {
    const added = custom.find((other) => nameOf(other) === nameOf(group))
    if (added === undefined) return group
    const further = added.versions.filter(
      ({ version }) => !group.versions.some((own) => own.version === version),
    )
    return { ...group, versions: [...inOrder(further), ...group.versions] }
  })
  const own = custom
    .filter((group) => !builtin.some((other) => nameOf(other) === nameOf(group)))
    .map((group) => ({ ...group, versions: inOrder(group.versions) }))
  return [...merged, ...own.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))]
}

const inOrder = (versions: ServedVersion[]): ServedVersion[] =>
  [...versions].sort((a, b) => compareVersions(a.version, b.version))

const STAGES = ['alpha', 'beta', undefined]

/** See k8s.io/apimachinery, pkg/version, `CompareKubeAwareVersionStrings`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) =>
    /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version),
  )
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0
  const stage = (match: RegExpExecArray) => STAGES.indexOf(match[2])
  return (
    stage(right) - stage(left) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  )
}

/** GET /api. @param serverAddress host and port for clients */
export function apiVersions(groups: ServedGroup[], serverAddress: string): JsonObject {
  const core = groups.find((group) => nameOf(group) === '')
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

/** GET /apis */
export function apiGroupList(groups: ServedGroup[]): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter((group) => nameOf(group) !== '').map(groupEntry),
  }
}

/** GET /apis/GROUP */
export function apiGroup(groups: ServedGroup[], name: string): JsonObject | undefined {
  const group = name === '' ? undefined : groups.find((candidate) => nameOf(candidate) === name)
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry(group: ServedGroup): JsonObject {
  const name = nameOf(group)
  const versions = group.versions.map(({ version }) => ({
    groupVersion: apiVersionOf(name, version),
    version,
  }))
  return { name, versions, ...(versions[0] ? { preferredVersion: versions[0] } : {}) }
}

/** GET /api/v1, /apis/GROUP/VERSION. The core group's list has no apiVersion. */
/** @param withHashes feature gate `StorageVersionHash` */
export function apiResourceList(
  groups: ServedGroup[],
  name: string,
  version: string,
  withHashes = true,
): JsonObject | undefined {
  const group = groups.find((candidate) => nameOf(candidate) === name)
  const served = group?.versions.find((candidate) => candidate.version === version)
  if (group === undefined || served === undefined) return undefined
  const resources = [...served.resources].sort((a, b) => (a.resource < b.resource ? -1 : 1))
  const entries = resources.flatMap((resource) =>
    resourceEntries(group, version, resource, withHashes),
  )
  return {
    kind: 'APIResourceList',
    ...(name === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(name, version),
    resources: entries,
  }
}

function resourceEntries(
  group: ServedGroup,
  version: string,
  resource: ServedResource,
  withHashes: boolean,
): JsonObject[] {
  const namespaced = resource.scope === 'Namespaced'
  const hash = withHashes ? storageVersionHash(group, resource) : undefined
  const main: JsonObject = {
    name: resource.resource,
    singularName: resource.singularResource,
    namespaced,
    kind: resource.responseKind.kind,
    verbs: resource.verbs,
    ...(resource.shortNames ? { shortNames: resource.shortNames } : {}),
    ...(resource.categories ? { categories: resource.categories } : {}),
    ...(hash ? { storageVersionHash: hash } : {}),
  }
  const subresources = (resource.subresources ?? []).map(
    ({ subresource, responseKind, verbs }): JsonObject => {
      const own =
        responseKind.version === '' ||
        (responseKind.group === nameOf(group) && responseKind.version === version)
      return {
        name: `${resource.resource}/${subresource}`,
        singularName: '',
        namespaced,
        ...(own
          ? {}
          : {
              ...(responseKind.group ? { group: responseKind.group } : {}),
              version: responseKind.version,
            }),
        kind: responseKind.kind,
        verbs,
      }
    },
  )
  return [main, ...subresources]
}

function storageVersionHash(group: ServedGroup, resource: ServedResource): string | undefined {
  if (!resource.verbs.includes('watch')) return undefined
  const name = nameOf(group)
  const first = group.versions.find(({ resources }) =>
    resources.some((candidate) => candidate.resource === resource.resource),
  )
  const stored = resource.storedAs ??
    STORED_AS[`${resource.resource}.${name}`] ?? { group: name, version: first?.version ?? '' }
  if (stored.version === '') return undefined
  const bytes = sha256(
    new TextEncoder().encode(`${stored.group}/${stored.version}/${resource.responseKind.kind}`),
  ).subarray(0, 8)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** @param root `api`: only the core group */
export function aggregatedDiscovery(
  groups: ServedGroup[],
  root: 'api' | 'apis',
  version: 'v2' | 'v2beta1',
): JsonObject {
  const items = groups
    .filter((group) => (nameOf(group) === '') === (root === 'api'))
    .map(shownGroup)
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.${API_DOMAIN}/${version}`,
    metadata: {},
    items,
  }
}

function shownGroup(group: ServedGroup): JsonObject {
  if (
    !group.versions.some(
      ({ resources }) =>
        resources.length === 0 || resources.some(({ storedAs }) => storedAs !== undefined),
    )
  )
    return group as unknown as JsonObject
  const versions = group.versions.map((version) => {
    const { resources, ...empty } = version
    if (resources.length === 0) return empty
    return { ...version, resources: resources.map(({ storedAs: _, ...resource }) => resource) }
  })
  return { ...group, versions } as unknown as JsonObject
}
