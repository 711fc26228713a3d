/** The OpenAPI documents of the built-in API, each made when it is asked for (document 1, "Endpoints"; forms recorded). */
import { apiOperations } from '../../facts/operations'
import { RELEASE } from '../../names'
import type { JsonObject } from '../../object'
import { builtinModel } from '../../schema/builtin'
import type { TypeNode } from '../../schema/model'
import type { ServedGroup } from '../discovery'
import { textHash } from '../sha256'
import { type CustomResource, customDefinitions, customPaths } from './custom'
import { RETURN_DELETED_OBJECT } from './deleted-objects'
import { type Paths, renderPaths, renderSchemas, schemasIn, type Words } from './documents'
import { type ApiOperation, documentOperation, type Route, resourceOperation } from './operations'

const SECURITY = { BearerToken: { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' } }

/** `/apis/apps/v1/namespaces/{namespace}/deployments` belongs to the document `apis/apps/v1`. */
function documentOf(path: string): string {
  const parts = path.replace(/^\/|\/$/g, '').split('/')
  if (parts[0] === 'api') return parts.slice(0, 2).join('/')
  return parts[0] === 'apis' ? parts.slice(0, 3).join('/') : parts.join('/')
}

let byDocument: Map<string, string[]> | undefined

/** Paths by document. */
function index(): Map<string, string[]> {
  if (byDocument === undefined) {
    byDocument = new Map()
    for (const path of Object.keys(apiOperations())) {
      const document = documentOf(path)
      byDocument.set(document, [...(byDocument.get(document) ?? []), path])
    }
  }
  return byDocument
}

/** The documents of what is served, by alphabet: `api/v1`, `apis/apps`, `version` … */
export function builtinDocuments(groups: ServedGroup[]): string[] {
  const served = new Set(
    groups.flatMap(({ metadata, versions }) =>
      versions.map(({ version }) => (metadata.name ? `apis/${metadata.name}/${version}` : `api/${version}`)),
    ),
  )
  const named = new Set(groups.map(({ metadata }) => `apis/${metadata.name}`))
  const isServed = (document: string) => {
    if (/^apis?\/.*v\d[^/]*$/.test(document)) return served.has(document)
    return document.startsWith('apis/') ? named.has(document) : true
  }
  return [...index().keys()].filter(isServed).sort()
}

/** GET /openapi/v3: where each document is. The address changes with what it says. */
export function openapiV3Index(documents: { name: string; hash: string }[]): JsonObject {
  const entries = documents.map(({ name, hash }) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` }] as const)
  return { paths: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** What a built-in document says depends on the release alone. */
export function builtinHash(document: string): string {
  return textHash(`${RELEASE.git} ${document}`)
}

/** GET /openapi/v3/DOCUMENT; undefined if there is none. @param document `apis/apps/v1` */
export function openapiV3(document: string, words: Words): JsonObject | undefined {
  const pathsOfDocument = index().get(document)
  if (pathsOfDocument === undefined) return undefined
  const paths = operationsOf(pathsOfDocument)
  const schemas = renderSchemas(typesNamed(schemasIn(paths)), 'v3', words)
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: `${RELEASE.major}.${RELEASE.minor}` },
    paths: renderPaths(paths, 'v3', words),
    components: { ...(Object.keys(schemas).length > 0 ? { schemas } : {}), securitySchemes: SECURITY },
  }
}

/** GET /openapi/v2: everything that is served, in one document. */
export function openapiV2(groups: ServedGroup[], custom: CustomResource[], words: Words): JsonObject {
  const served = builtinDocuments(groups)
  const paths = operationsOf(served.flatMap((document) => index().get(document) ?? []))
  for (const [path, operations] of customPaths(custom)) paths.set(path, operations)
  const definitions = { ...renderSchemas(typesNamed(schemasIn(paths)), 'v2', words), ...customDefinitions(custom) }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: RELEASE.git },
    paths: renderPaths(paths, 'v2', words),
    definitions: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
    securityDefinitions: SECURITY,
    security: [{ BearerToken: [] }],
  }
}

function typesNamed(names: Iterable<string>): TypeNode[] {
  return [...names].flatMap((name) => builtinModel().byName(name) ?? [])
}

function operationsOf(paths: string[]): Paths {
  return new Map(paths.map((path) => [path, operationsAt(path)]))
}

function operationsAt(path: string): Map<string, ApiOperation> {
  const operations = new Map<string, ApiOperation>()
  for (const [method, facts] of Object.entries(apiOperations()[path] ?? {})) {
    const operation = facts.gvk ? resourceOperation(routeOf(path, method)) : documentOperation(path, facts)
    if (operation) operations.set(method, operation)
  }
  return operations
}

function routeOf(path: string, method: string): Route {
  const facts = apiOperations()[path]?.[method] ?? { operationId: '' }
  const { group = '', version = '', kind = '' } = facts.gvk ?? {}
  const model = builtinModel()
  const [, parentPath] = /^(.*\/\{name\})\/[^/]+(?:\/\{path\})?$/.exec(path) ?? []
  const parent = parentPath ? apiOperations()[parentPath]?.get?.gvk?.kind : undefined
  const [, resource = ''] = /\/([^/{}]+)\/\{name\}/.exec(path) ?? []
  return {
    path,
    method,
    facts,
    origin: 'builtin',
    schema: model.byKind(group, version, kind)?.name ?? '',
    listSchema: model.byKind(group, version, `${kind}List`)?.name ?? '',
    returnsDeletedObject: RETURN_DELETED_OBJECT.has(resource),
    ...(parent ? { parentKind: parent } : {}),
  }
}
