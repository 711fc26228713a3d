/**
 * Discovery of an aggregated server; older servers have only resource lists (kubernetes.io,
 * "Discovery API"). Requests and user recorded from kube-apiserver 1.31.
 */

import { API_DOMAIN } from '../core/names'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { OutboundError } from '../core/outbound'
import type { ServedResource } from '../encoding/discovery'
import type { RemoteVersion } from './remote-versions'
import { AGGREGATOR, type Fetched, fetchDocument, type ServiceClient } from './service-client'

const aggregatedType = (version: string) =>
  `application/json;g=apidiscovery.${API_DOMAIN};v=${version};as=APIGroupDiscoveryList`
const AGGREGATED = ['v2', 'v2beta1'].map(aggregatedType)
const LIMIT = { seconds: 5, late: 'request timed out' }

/** @returns undefined if the server cannot be reached */
export async function resourcesOf(
  reach: ServiceClient,
  remote: RemoteVersion,
): Promise<ServedResource[] | undefined> {
  try {
    const all = await fetchDocument(reach, remote, '/apis', {
      ...LIMIT,
      accept: AGGREGATED.join(','),
      user: AGGREGATOR,
    })
    if (all.status === 503) return undefined
    if (all.status === 200 && isAggregated(all.contentType))
      return resourcesAmongGroups(documentOf(all), remote)
    const path = `/apis/${remote.group}/${remote.version}`
    const user = { name: AGGREGATOR.name, groups: [] }
    const one = await fetchDocument(reach, remote, path, {
      ...LIMIT,
      accept: 'application/json',
      user,
    })
    return one.status === 200 ? resourcesInList(documentOf(one), remote) : undefined
  } catch (error) {
    if (error instanceof OutboundError) return undefined
    throw error
  }
}

const isAggregated = (contentType: string): boolean =>
  AGGREGATED.some(
    (type) => contentType.replaceAll(' ', '').split(';').slice(0, 4).join(';') === type,
  )

function documentOf({ bytes }: Fetched): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json
  } catch {
    return null
  }
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(text) : [])
const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

function named({
  shortNames,
  categories,
}: JsonObject): Pick<ServedResource, 'shortNames' | 'categories'> {
  return {
    ...(texts(shortNames).length > 0 ? { shortNames: texts(shortNames) } : {}),
    ...(texts(categories).length > 0 ? { categories: texts(categories) } : {}),
  }
}

/** The APIGroupDiscoveryList may lack the version. */
function resourcesAmongGroups(
  document: Json,
  { group, version }: RemoteVersion,
): ServedResource[] | undefined {
  if (!isJsonObject(document)) return undefined
  const groups = objects(document.items).filter(
    ({ metadata }) => isJsonObject(metadata) && metadata.name === group,
  )
  const versions = groups
    .flatMap(({ versions }) => objects(versions))
    .filter((entry) => entry.version === version)
  const kindOf = (kind: Json | undefined) => {
    const groupVersionKind = isJsonObject(kind) ? kind : {}
    return {
      group: text(groupVersionKind.group),
      version: text(groupVersionKind.version),
      kind: text(groupVersionKind.kind),
    }
  }
  return versions
    .flatMap(({ resources }) => objects(resources))
    .map((entry): ServedResource => {
      const subresources = objects(entry.subresources).map((sub) => ({
        subresource: text(sub.subresource),
        responseKind: kindOf(sub.responseKind),
        verbs: texts(sub.verbs),
      }))
      return {
        resource: text(entry.resource),
        responseKind: kindOf(entry.responseKind),
        scope: entry.scope === 'Namespaced' || entry.scope === 'Cluster' ? entry.scope : '',
        singularResource: text(entry.singularResource),
        verbs: texts(entry.verbs),
        ...named(entry),
        ...(subresources.length > 0 ? { subresources } : {}),
      }
    })
}

function resourcesInList(
  document: Json,
  { group, version }: RemoteVersion,
): ServedResource[] | undefined {
  if (
    !isJsonObject(document) ||
    document.kind !== 'APIResourceList' ||
    !Array.isArray(document.resources)
  )
    return undefined
  const entries = document.resources.filter(isJsonObject)
  const kindOf = (entry: JsonObject) => ({
    group: text(entry.group) || group,
    version: text(entry.version) || version,
    kind: text(entry.kind),
  })
  return entries
    .filter((entry) => !text(entry.name).includes('/'))
    .map((entry): ServedResource => {
      const name = text(entry.name)
      const subresources = entries
        .filter((other) => text(other.name).startsWith(`${name}/`))
        .map((other) => ({
          subresource: text(other.name).slice(name.length + 1),
          responseKind: kindOf(other),
          verbs: texts(other.verbs),
        }))
      return {
        resource: name,
        responseKind: kindOf(entry),
        scope: entry.namespaced === true ? 'Namespaced' : 'Cluster',
        singularResource: text(entry.singularName),
        verbs: texts(entry.verbs),
        ...named(entry),
        ...(subresources.length > 0 ? { subresources } : {}),
      }
    })
}
