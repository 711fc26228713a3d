/** Lists the objects of a cluster, resource by resource and page by page. */
import { isJsonObject, type JsonObject, type KubeObject } from '../../engine/core/object'
import { type ClusterClient, ClusterError } from './cluster-client'

export interface ListedResource {
  /** `apps/v1` */
  groupVersion: string
  /** Plural. */
  name: string
  kind: string
  namespaced: boolean
}

/** Objects per request, the default of kubectl. */
const PAGE = 500

/**
 * Resources that components and controllers write again.
 */
const PRODUCED = new Set(['events', 'leases', 'componentstatuses', 'endpoints', 'endpointslices'])

export async function releaseOf(client: ClusterClient): Promise<string> {
  const { major, minor } = await client.get('/version')
  // Some providers add a sign: `1.33+`.
  return `${String(major)}.${String(minor).replace(/\D.*$/, '')}`
}

/** The preferred version of every resource that can be listed. */
export async function listedResources(client: ClusterClient): Promise<ListedResource[]> {
  const { groups } = await client.get('/apis')
  const preferred = (Array.isArray(groups) ? groups : []).filter(isJsonObject).flatMap((group) => {
    const version = isJsonObject(group.preferredVersion) ? group.preferredVersion.groupVersion : ''
    return typeof version === 'string' && version !== '' ? [version] : []
  })
  const found: ListedResource[] = []
  for (const groupVersion of ['v1', ...preferred]) {
    const content = await availableAt(client, groupVersion)
    const resources = content?.resources
    for (const resource of (Array.isArray(resources) ? resources : []).filter(isJsonObject))
      if (isListed(resource))
        found.push({
          groupVersion,
          name: String(resource.name),
          kind: String(resource.kind),
          namespaced: resource.namespaced === true,
        })
  }
  return found
}

/** An aggregated API server that is down does not keep the others from being read. */
async function availableAt(
  client: ClusterClient,
  groupVersion: string,
): Promise<JsonObject | undefined> {
  try {
    return await client.get(rootOf(groupVersion))
  } catch (error) {
    if (error instanceof ClusterError && error.code >= 500) return undefined
    throw error
  }
}

function isListed({ name, verbs }: JsonObject): boolean {
  return (
    typeof name === 'string' &&
    !name.includes('/') &&
    !PRODUCED.has(name) &&
    Array.isArray(verbs) &&
    verbs.includes('list') &&
    // Kinds that cannot be created are views of others, such as metrics.
    verbs.includes('create')
  )
}

const rootOf = (groupVersion: string): string =>
  groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`

/**
 * @param namespaces all if empty
 * @yields pages of objects
 * @throws ClusterError, InputError
 */
export async function* objectsOf(
  client: ClusterClient,
  { groupVersion, name, kind, namespaced }: ListedResource,
  namespaces: readonly string[],
): AsyncGenerator<KubeObject[]> {
  const root = rootOf(groupVersion)
  const paths =
    namespaced && namespaces.length > 0
      ? namespaces.map((namespace) => `${root}/namespaces/${encodeURIComponent(namespace)}/${name}`)
      : [`${root}/${name}`]
  for (const path of paths) {
    let token = ''
    do {
      const query = `?limit=${PAGE}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`
      const { items, metadata } = await client.get(path + query)
      // Items of a list have no kind and apiVersion.
      yield (Array.isArray(items) ? items : [])
        .filter(isJsonObject)
        .map((item) => ({ ...item, apiVersion: groupVersion, kind }) as unknown as KubeObject)
      token =
        isJsonObject(metadata) && typeof metadata.continue === 'string' ? metadata.continue : ''
    } while (token !== '')
  }
}
