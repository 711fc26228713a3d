import { isJsonObject, type Json, type JsonObject } from '../engine/core/object'
import type { ApiClient } from './client'
import { CommandError } from './errors'

export interface ServedResource {
  group: string
  version: string
  /** Plural: `pods`. */
  resource: string
  singular: string
  kind: string
  namespaced: boolean
  verbs: readonly string[]
  shortNames: readonly string[]
  categories: readonly string[]
  subresources: readonly string[]
  /**
   * Wins over other versions: the group's preferred one if it serves the resource, else the first.
   */
  preferred: boolean
}

export interface ServedGroup {
  name: string
  /** The preferred one first. */
  versions: readonly string[]
}

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Loaded on first use, cached until `reset`. An unknown type repeats the load, as in kubectl. */
export class Discovery {
  private read: Promise<Served> | undefined

  constructor(private readonly client: () => ApiClient) {}

  reset(): void {
    this.read = undefined
  }

  /** Without subresources, in the server's order of groups. */
  async resources(): Promise<readonly ServedResource[]> {
    return (await this.served()).resources
  }

  async groups(): Promise<readonly ServedGroup[]> {
    return (await this.served()).groups
  }

  /**
   * Finds `po`, `pod`, `pods`, `Pod`, `deployments.apps`, `deployments.v1.apps`. Compares plural,
   * singular, short name and kind; the core group and preferred versions win.
   * @throws CommandError `the server doesn't have a resource type "x"`
   */
  async find(word: string): Promise<ServedResource> {
    const found = this.search((await this.served()).resources, word)
    if (found !== undefined) return found
    // A new definition may serve the type.
    this.reset()
    const again = this.search((await this.served()).resources, word)
    if (again !== undefined) return again
    throw new CommandError(
      `the server doesn't have a resource type ${JSON.stringify(word.split('.')[0])}`,
    )
  }

  /** Others with the short name, which `find` does not return. */
  async alsoCalled(word: string): Promise<string[]> {
    const named = (await this.served()).resources.filter(
      ({ preferred, shortNames }) => preferred && shortNames.includes(word),
    )
    return named.slice(1).map(qualified)
  }

  async ofKind(apiVersion: string, kind: string): Promise<ServedResource | undefined> {
    const search = (resources: readonly ServedResource[]) =>
      resources.find((entry) => entry.kind === kind && apiVersionOf(entry) === apiVersion)
    const found = search((await this.served()).resources)
    if (found !== undefined) return found
    this.reset()
    return search((await this.served()).resources)
  }

  /** Of a category such as `all`; empty for other names. */
  async ofCategory(word: string): Promise<ServedResource[]> {
    return (await this.served()).resources.filter(
      ({ categories, preferred }) => preferred && categories.includes(word),
    )
  }

  /**
   * The console behaves as kubectl of this release. Not cached: a server may restart as another
   * release.
   */
  version(): Promise<JsonObject> {
    return this.client().get('/version')
  }

  private served(): Promise<Served> {
    this.read ??= readServed(this.client()).catch((error: unknown) => {
      this.read = undefined
      throw error
    })
    return this.read
  }

  private search(resources: readonly ServedResource[], word: string): ServedResource | undefined {
    const [name = '', ...rest] = word.split('.')
    const candidates = resources.filter(isCalled(name))
    if (rest.length === 0) return bestOf(candidates)
    // `deployments.v1.apps` before `deployments.apps`, whose group may begin like a version.
    // `pods.v1.` is in the core group, `pods.v1` in a group of that name.
    const [version, ...group] = rest
    const exact = candidates.filter(
      (entry) =>
        group.length > 0 &&
        entry.group === group.join('.') &&
        (entry.version === version || entry.shortNames.includes(name)),
    )
    if (exact.length > 0) return bestOf(exact)
    const ofGroup = candidates.filter((entry) => entry.group === rest.join('.'))
    return (
      bestOf(ofGroup) ??
      bestOf(
        candidates.filter(
          (entry) => rest.join('.') !== '' && entry.group.startsWith(rest.join('.')),
        ),
      )
    )
  }
}

interface Served {
  groups: ServedGroup[]
  resources: ServedResource[]
}

async function readServed(client: ApiClient): Promise<Served> {
  const documents = await Promise.all(['/api', '/apis'].map((path) => client.get(path, ACCEPT)))
  const groups = documents.flatMap(({ items }) => objects(items))
  return {
    groups: groups.map((group) => ({
      name: nameOf(group),
      versions: objects(group.versions).map(({ version }) => String(version)),
    })),
    resources: groups.flatMap((group) => {
      const known = new Set<string>()
      return objects(group.versions).flatMap((version) =>
        resourcesOf(nameOf(group), version, known),
      )
    }),
  }
}

/** @param known resources of earlier versions; this version's are added */
function resourcesOf(group: string, version: JsonObject, known: Set<string>): ServedResource[] {
  const found = objects(version.resources).map((entry) => ({
    group,
    version: String(version.version),
    resource: String(entry.resource),
    singular: String(entry.singularResource ?? ''),
    kind: String(isJsonObject(entry.responseKind) ? entry.responseKind.kind : ''),
    namespaced: entry.scope === 'Namespaced',
    verbs: strings(entry.verbs),
    shortNames: strings(entry.shortNames),
    categories: strings(entry.categories),
    subresources: objects(entry.subresources).map(({ subresource }) => String(subresource)),
    preferred: !known.has(String(entry.resource)),
  }))
  for (const { resource } of found) known.add(resource)
  return found
}

const objects = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : []
const nameOf = ({ metadata }: JsonObject): string =>
  isJsonObject(metadata) ? String(metadata.name ?? '') : ''

/** Ignores case. */
function isCalled(name: string): (entry: ServedResource) => boolean {
  const wanted = name.toLowerCase()
  return ({ resource, singular, shortNames, kind }) =>
    resource === wanted ||
    singular === wanted ||
    shortNames.includes(wanted) ||
    kind.toLowerCase() === wanted
}

function bestOf(candidates: readonly ServedResource[]): ServedResource | undefined {
  return candidates.find(({ preferred }) => preferred) ?? candidates[0]
}

export const apiVersionOf = ({
  group,
  version,
}: Pick<ServedResource, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`

/** `pods`, `deployments.apps` */
export const qualified = ({
  resource,
  group,
}: Pick<ServedResource, 'group' | 'resource'>): string =>
  group === '' ? resource : `${resource}.${group}`

/** `pod/web`, `deployment.apps/web` */
export const qualifiedName = (
  resource: Pick<ServedResource, 'group' | 'singular' | 'kind'>,
  name: string,
): string => {
  const singular = resource.singular === '' ? resource.kind.toLowerCase() : resource.singular
  return `${resource.group === '' ? singular : `${singular}.${resource.group}`}/${name}`
}

/**
 * `/apis/apps/v1/namespaces/default/deployments/web`. @param namespace absent for all, or cluster
 * scope
 */
export function pathOf(
  resource: ServedResource,
  namespace: string | undefined,
  name?: string,
  subresource?: string,
): string {
  const root =
    resource.group === ''
      ? `/api/${resource.version}`
      : `/apis/${resource.group}/${resource.version}`
  const scope =
    resource.namespaced && namespace !== undefined && namespace !== ''
      ? `/namespaces/${encodeURIComponent(namespace)}`
      : ''
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`
  return `${root}${scope}/${resource.resource}${object}${subresource ? `/${subresource}` : ''}`
}
