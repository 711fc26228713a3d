/** The served resources, from aggregated discovery; reloaded by `served.ts`. */
import { create } from 'zustand'
import { PAGE_ACTOR } from './actors'
import { sendRequest } from './client'

export interface ServedResource {
  group: string
  version: string
  resource: string
  kind: string
  namespaced: boolean
  verbs: string[]
  shortNames: string[]
  subresources: string[]
}

interface DiscoveryState {
  resources: ServedResource[]
  failure: string | undefined
  /** Starts a new read; one in progress is too old. */
  load(): Promise<void>
}

const ACCEPT = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

interface Document {
  items?: {
    metadata: { name?: string }
    versions: {
      version: string
      /** Absent while the API server of an APIService is unavailable. */
      resources?: {
        resource: string
        responseKind: { kind: string }
        scope: string
        verbs: string[]
        shortNames?: string[]
        subresources?: { subresource: string }[]
      }[]
    }[]
  }[]
}

export const useDiscovery = create<DiscoveryState>((set, get) => {
  /** One read at a time: an older response must not replace a newer one. */
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function read(): Promise<void> {
    try {
      const responses = await Promise.all(
        ['/api', '/apis'].map((path) =>
          sendRequest({ method: 'GET', path, accept: ACCEPT, origin: 'page', actor: PAGE_ACTOR }),
        ),
      )
      const rejected = responses.find(({ ok }) => !ok)
      if (rejected)
        throw new Error(
          (rejected.json as { message?: string } | undefined)?.message ?? `HTTP ${rejected.status}`,
        )
      const resources = responses.flatMap(({ json }) => resourcesOf(json as Document))
      set({
        resources: equalLists(resources, get().resources) ? get().resources : resources,
        failure: undefined,
      })
    } catch (error) {
      set({ failure: error instanceof Error ? error.message : String(error) })
    }
  }

  function start(): Promise<void> {
    next = undefined
    reading = read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    resources: [],
    failure: undefined,
    load() {
      if (reading === undefined) return start()
      next ??= reading.then(start)
      return next
    },
  }
})

const equalLists = (a: readonly ServedResource[], b: readonly ServedResource[]): boolean =>
  a.length === b.length &&
  a.every((resource, index) => equalResources(resource, b[index] as ServedResource))

/** Compares resource, verbs, names and subresources. */
export const equalResources = (a: ServedResource, b: ServedResource): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

function resourcesOf(document: Document): ServedResource[] {
  return (document.items ?? []).flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map((resource) => ({
        group: metadata.name ?? '',
        version,
        resource: resource.resource,
        kind: resource.responseKind.kind,
        namespaced: resource.scope === 'Namespaced',
        verbs: resource.verbs,
        shortNames: resource.shortNames ?? [],
        subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
      })),
    ),
  )
}

export const idOf = ({
  group,
  version,
  resource,
}: Pick<ServedResource, 'group' | 'version' | 'resource'>): string =>
  `${group}/${version}/${resource}`

/** `/apis/apps/v1/namespaces/default/deployments/web` */
export function pathOf(
  resource: Pick<ServedResource, 'group' | 'version' | 'resource' | 'namespaced'>,
  namespace?: string,
  name?: string,
): string {
  const root =
    resource.group === ''
      ? `/api/${resource.version}`
      : `/apis/${resource.group}/${resource.version}`
  const scope =
    resource.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${scope}/${resource.resource}${name ? `/${encodeURIComponent(name)}` : ''}`
}

export function resourceOfKind(
  resources: readonly ServedResource[],
  apiVersion: string,
  kind: string,
): ServedResource | undefined {
  return resources.find(
    (entry) =>
      entry.kind === kind &&
      (entry.group === '' ? entry.version : `${entry.group}/${entry.version}`) === apiVersion &&
      entry.verbs.includes('create'),
  )
}

export function resourceAt(
  resources: readonly ServedResource[],
  { group, version, resource }: Pick<ServedResource, 'group' | 'version' | 'resource'>,
): ServedResource | undefined {
  const same = resources.filter((entry) => entry.group === group && entry.resource === resource)
  return same.find((entry) => entry.version === version) ?? same[0]
}
