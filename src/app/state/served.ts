/** Waits until discovery lists what CustomResourceDefinitions and APIServices announce. */

import { PAGE_ACTOR } from './actors'
import { sendRequest } from './client'
import {
  announces,
  type Definition,
  defines,
  isComplete,
  rejectionOf,
  type ServiceVersion,
  unavailabilityOf,
} from './definitions'
import { pathOf, resourceAt, resourceOfKind, type ServedResource, useDiscovery } from './discovery'
import * as texts from './texts'

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
}
const API_SERVICES = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' }

/** About 12 s in all. */
const PAUSES_MILLISECONDS = [100, 200, 400, 800, 1500, 3000, 6000]

let newest = 0

/** A later call supersedes an earlier one. */
export async function followDefinitions(): Promise<void> {
  const own = ++newest
  for (const milliseconds of [0, ...PAUSES_MILLISECONDS]) {
    await pause(milliseconds)
    if (own !== newest) return
    await useDiscovery.getState().load()
    if (own !== newest) return
    const [definitions, services] = await Promise.all([
      items<Definition>(DEFINITIONS),
      items<ServiceVersion>(API_SERVICES),
    ])
    if (isComplete(useDiscovery.getState().resources, definitions, services)) return
  }
}

export type KindState =
  | { resource: ServedResource }
  | { missing: true }
  /** Announced but not served: the reason. */
  | { waiting: string; announcedBy: string }

/** Waits for the definition of a manifest's kind. */
const ESTABLISHED_MILLISECONDS = 20_000
/** Shorter, because the server of an APIService may not run at all. */
const AVAILABLE_MILLISECONDS = 8_000
const POLL_MILLISECONDS = 250

/** Waits while the definition is being established or the APIService becomes available. */
export async function findKind(apiVersion: string, kind: string): Promise<KindState> {
  const start = performance.now()
  for (;;) {
    const known = resourceOfKind(useDiscovery.getState().resources, apiVersion, kind)
    if (known !== undefined) return { resource: known }
    await useDiscovery.getState().load()
    const resource = resourceOfKind(useDiscovery.getState().resources, apiVersion, kind)
    if (resource !== undefined) return { resource }
    const definition = (await items<Definition>(DEFINITIONS)).find((candidate) =>
      defines(candidate, apiVersion, kind),
    )
    const waited = performance.now() - start
    if (definition !== undefined) {
      const rejection = rejectionOf(definition)
      if (rejection !== undefined || waited > ESTABLISHED_MILLISECONDS)
        return {
          waiting: rejection ?? texts.notEstablished,
          announcedBy: `CustomResourceDefinition ${definition.metadata.name}`,
        }
    } else {
      const service = (await items<ServiceVersion>(API_SERVICES)).find((candidate) =>
        announces(candidate, apiVersion),
      )
      if (service === undefined || isListed(apiVersion)) return { missing: true }
      if (waited > AVAILABLE_MILLISECONDS)
        return {
          waiting: unavailabilityOf(service),
          announcedBy: `APIService ${service.metadata.name}`,
        }
    }
    await pause(POLL_MILLISECONDS)
  }
}

/** In a listed version, an unknown kind is a typo and not a delay. */
const isListed = (apiVersion: string): boolean =>
  useDiscovery
    .getState()
    .resources.some(({ group, version }) => `${group}/${version}` === apiVersion)

/** Lists as the page's own user, because the selected one may lack the permission. */
async function items<Item>(
  of: Pick<ServedResource, 'group' | 'version' | 'resource'>,
): Promise<Item[]> {
  // Older releases serve them in other versions.
  const resource = resourceAt(useDiscovery.getState().resources, of)
  if (resource === undefined) return []
  const response = await sendRequest({
    method: 'GET',
    path: pathOf(resource),
    origin: 'page',
    actor: PAGE_ACTOR,
  }).catch(() => undefined)
  return response?.ok ? ((response.json as { items?: Item[] | null }).items ?? []) : []
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
