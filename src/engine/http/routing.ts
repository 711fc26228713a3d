/**
 * Which paths exist below a resource, and which methods each of them takes. A path that does not exist is 404, a method that it
 * does not take 405, in that order and before anything else of the request is looked at (document 1, "Path shapes"; recorded).
 */
import type { Resource, Subresource } from '../registry/resource'
import type { RequestInfo } from './request-info'

export interface Route {
  methods: readonly string[]
  subresource: Subresource | undefined
}

/** Methods of `/pods`, `/pods/{name}` and of subresources, by the verb that brings them. */
const COLLECTION: Record<string, string> = { list: 'GET', create: 'POST', deletecollection: 'DELETE' }
const ITEM: Record<string, string> = { get: 'GET', update: 'PUT', patch: 'PATCH', delete: 'DELETE' }
const SUBRESOURCE: Record<string, string> = { ...ITEM, create: 'POST' }
/** What a connection to a pod, service or node forwards. */
const FORWARDED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** @returns undefined for a path that does not exist */
export function routeOf(resource: Resource, info: RequestInfo): Route | undefined {
  const depth = info.parts.length
  if (info.verb === 'proxy') return undefined
  if (resource.namespaced !== info.inNamespace) return resource.namespaced && depth === 1 ? acrossNamespaces(resource) : undefined
  if (info.legacyWatch) return depth <= 2 && resource.verbs.includes('watch') ? { methods: ['GET'], subresource: undefined } : undefined
  if (depth === 1) return routeTo(resource.verbs, COLLECTION)
  if (depth === 2) return routeTo(resource.verbs, ITEM)
  const subresource = resource.subresources.get(info.subresource)
  if (subresource === undefined) return undefined
  if (subresource.name === 'proxy') return { methods: FORWARDED, subresource }
  return depth === 3 ? routeTo(subresource.verbs, SUBRESOURCE, subresource) : undefined
}

/** Objects of all namespaces together are only listed and watched. */
function acrossNamespaces(resource: Resource): Route | undefined {
  return resource.verbs.includes('list') ? { methods: ['GET'], subresource: undefined } : undefined
}

function routeTo(verbs: readonly string[], methodOf: Record<string, string>, subresource?: Subresource): Route | undefined {
  const methods = methodsOf(verbs, methodOf)
  return methods.length === 0 ? undefined : { methods, subresource }
}

const known = new Map<Record<string, string>, WeakMap<readonly string[], readonly string[]>>()

/** Every request asks: what follows from a list of verbs is found out once. */
function methodsOf(verbs: readonly string[], methodOf: Record<string, string>): readonly string[] {
  let ofVerbs = known.get(methodOf)
  if (ofVerbs === undefined) known.set(methodOf, (ofVerbs = new WeakMap()))
  let methods = ofVerbs.get(verbs)
  if (methods === undefined) ofVerbs.set(verbs, (methods = verbs.flatMap((verb) => methodOf[verb] ?? [])))
  return methods
}
