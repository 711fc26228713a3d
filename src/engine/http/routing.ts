/**
 * An unknown path is 404, then an unsupported method 405, before any other check. Recorded from
 * kube-apiserver 1.31.
 */
import { memoizeByIdentity } from '../core/identity-memo'
import { entryOf } from '../core/object'
import type { Resource, Subresource } from '../registry/resource'
import type { RequestInfo } from './request-info'
import { type ApiError, failure, methodNotAllowed, notFound } from './status'

export interface Route {
  subresource: Subresource | undefined
  /** For an existing path. */
  rejection?: ApiError
}

interface Path {
  methods: readonly string[]
  subresource: Subresource | undefined
}

const COLLECTION: Record<string, string> = {
  list: 'GET',
  create: 'POST',
  deletecollection: 'DELETE',
}
const ITEM: Record<string, string> = { get: 'GET', update: 'PUT', patch: 'PATCH', delete: 'DELETE' }
const SUBRESOURCE: Record<string, string> = { ...ITEM, create: 'POST' }
const FORWARDED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** @returns undefined for an unknown path */
export function routeOf(resource: Resource, info: RequestInfo, method: string): Route | undefined {
  if (resource.custom) return customRouteOf(resource, info)
  const path = pathOf(resource, info)
  if (path === undefined || path.methods.includes(method)) return path
  return { subresource: path.subresource, rejection: methodNotAllowed() }
}

const ACROSS_NAMESPACES = ['list', 'watch']

/**
 * By namespace, subresource and verb alone, as k8s.io/apiextensions-apiserver.
 * @returns undefined for an unknown path
 */
function customRouteOf(
  resource: Resource,
  { namespace, subresource: requested, name, verb }: RequestInfo,
): Route | undefined {
  const inPlace = resource.namespaced
    ? namespace !== '' || ACROSS_NAMESPACES.includes(verb)
    : namespace === ''
  if (!inPlace) return undefined
  const subresource = resource.subresources.get(requested)
  if (requested !== '' && subresource === undefined)
    return { subresource, rejection: notFound(resource, name) }
  const { verbs } = subresource ?? resource
  return verbs.includes(verb)
    ? { subresource }
    : { subresource, rejection: verbNotSupported(resource, verb) }
}

export function verbNotSupported({ group, resource }: Resource, verb: string): ApiError {
  const name = group === '' ? resource : `${resource}.${group}`
  return failure(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${name}"`,
    { group, kind: resource },
  )
}

function pathOf(resource: Resource, info: RequestInfo): Path | undefined {
  const depth = info.parts.length
  if (info.verb === 'proxy') return undefined
  if (resource.namespaced !== info.inNamespace)
    return resource.namespaced && depth === 1 ? acrossNamespaces(resource) : undefined
  if (info.legacyWatch)
    return depth <= 2 && resource.verbs.includes('watch')
      ? { methods: ['GET'], subresource: undefined }
      : undefined
  if (depth === 1) return routeTo(resource.verbs, COLLECTION)
  if (depth === 2) return routeTo(resource.verbs, ITEM)
  const subresource = resource.subresources.get(info.subresource)
  if (subresource === undefined) return undefined
  if (subresource.name === 'proxy') return { methods: FORWARDED, subresource }
  return depth === 3 ? routeTo(subresource.verbs, SUBRESOURCE, subresource) : undefined
}

function acrossNamespaces(resource: Resource): Path | undefined {
  return resource.verbs.includes('list') ? { methods: ['GET'], subresource: undefined } : undefined
}

function routeTo(
  verbs: readonly string[],
  methodOf: Record<string, string>,
  subresource?: Subresource,
): Path | undefined {
  const methods = methodsIn(methodOf)(verbs)
  return methods.length === 0 ? undefined : { methods, subresource }
}

/** Every request looks it up. */
const methodsIn = memoizeByIdentity((methodOf: Record<string, string>) =>
  memoizeByIdentity((verbs: readonly string[]): readonly string[] =>
    verbs.flatMap((verb) => entryOf(methodOf, verb) ?? []),
  ),
)
