/** Creates the initial objects of a case, the same way for the console and for the real kubectl. */
import { objectsOf } from '../../src/console/manifests'

/** The resources of the kinds in cases. */
const PLACES: Record<string, { root: string; plural: string; namespaced: boolean }> = {
  ConfigMap: { root: '/api/v1', plural: 'configmaps', namespaced: true },
  CustomResourceDefinition: {
    root: '/apis/apiextensions.k8s.io/v1',
    plural: 'customresourcedefinitions',
    namespaced: false,
  },
  Deployment: { root: '/apis/apps/v1', plural: 'deployments', namespaced: true },
  Event: { root: '/api/v1', plural: 'events', namespaced: true },
  Namespace: { root: '/api/v1', plural: 'namespaces', namespaced: false },
  Node: { root: '/api/v1', plural: 'nodes', namespaced: false },
  Pod: { root: '/api/v1', plural: 'pods', namespaced: true },
  Service: { root: '/api/v1', plural: 'services', namespaced: true },
  ServiceAccount: { root: '/api/v1', plural: 'serviceaccounts', namespaced: true },
}

/** @param send sends requests as an administrator */
export async function setUp(
  send: (path: string, init: RequestInit) => Promise<Response>,
  manifest = '',
): Promise<void> {
  for (const { object } of objectsOf('given', manifest)) {
    const place = PLACES[String(object.kind)]
    if (place === undefined)
      throw new Error(`no place is known for ${object.kind}: add it to PLACES`)
    const { namespace = 'default' } = object.metadata as { namespace?: string }
    const path = `${place.root}${place.namespaced ? `/namespaces/${namespace}` : ''}/${place.plural}?fieldManager=given`
    const response = await send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    })
    if (!response.ok) throw new Error(await response.text())
  }
}
