/** kubernetes.io, "OpenAPI interface definition". Recorded from kube-apiserver 1.31. */

import { memoizeByIdentity } from '../../core/identity-memo'
import { addToGroup } from '../../core/lists'
import { entryOf, type JsonObject } from '../../core/object'
import { changesOf } from '../../release-tables/changes'
import { BASE_RELEASE } from '../../release-tables/minor'
import { type Operations, operationsOf as operationsOfRelease } from '../../releases/operations'
import { identityOf, type ReleaseIdentity } from '../../releases/release'
import type { TypeNode } from '../../schema/model'
import type { ServedGroup } from '../discovery'
import { textHash } from '../sha256'
import { type CustomResource, customDefinitions, customPaths } from './custom'
import { RETURN_DELETED_OBJECT } from './deleted-objects'
import { type Paths, renderPaths, renderSchemas, schemasIn, type Words } from './documents'
import { type ApiOperation, documentOperation, resourceOperation } from './operations'
import { UNSAFE_DELETION } from './parameters'
import { hasDeleteOption, hasShards, modelOfRelease } from './release-model'
import type { Route } from './route'
import { withSharedParameters } from './shared-parameters'
import { withoutValues } from './without-values'

const SHARES_PARAMETERS = 27

const SECURITY = {
  BearerToken: {
    type: 'apiKey',
    description: 'Bearer Token authentication',
    name: 'authorization',
    in: 'header',
  },
}

/** `/apis/apps/v1/namespaces/{namespace}/deployments` belongs to the document `apis/apps/v1`. */
function documentOf(path: string): string {
  const parts = path.replace(/^\/|\/$/g, '').split('/')
  if (parts[0] === 'api') return parts.slice(0, 2).join('/')
  return parts[0] === 'apis' ? parts.slice(0, 3).join('/') : parts.join('/')
}

const BASE = identityOf(BASE_RELEASE)

const index = (release: ReleaseIdentity): Map<string, string[]> =>
  indexOf(operationsOfRelease(release.name, release.own?.tables))

const indexOf = memoizeByIdentity((operations: Operations) => {
  const byDocument = new Map<string, string[]>()
  for (const path of Object.keys(operations)) {
    const document = documentOf(path)
    addToGroup(byDocument, document, path)
  }
  return byDocument
})

/** Sorted: `api/v1`, `apis/apps`, `version` … */
export function builtinDocuments(groups: ServedGroup[], release: ReleaseIdentity = BASE): string[] {
  const served = new Set(
    groups.flatMap(({ metadata, versions }) =>
      versions.map(({ version }) =>
        metadata.name ? `apis/${metadata.name}/${version}` : `api/${version}`,
      ),
    ),
  )
  const named = new Set(groups.map(({ metadata }) => `apis/${metadata.name}`))
  const isServed = (document: string) => {
    if (/^apis?\/.*v\d[^/]*$/.test(document)) return served.has(document)
    return document.startsWith('apis/') ? named.has(document) : true
  }
  return [...index(release).keys()].filter(isServed).sort()
}

/** GET /openapi/v3: URLs contain the hash of the content. */
export function openapiV3Index(documents: { name: string; hash: string }[]): JsonObject {
  const entries = documents.map(
    ({ name, hash }) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` }] as const,
  )
  return { paths: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

export function builtinHash(
  document: string,
  release: ReleaseIdentity = BASE,
  withValues = true,
): string {
  const own = release.own?.id ?? ''
  return textHash(`${release.git} ${document}${withValues ? '' : ' plain'}${own}`)
}

/**
 * GET /openapi/v3/DOCUMENT
 * @param withValues feature gate `OpenAPIEnums`
 */
export function openapiV3(
  document: string,
  words: Words,
  release: ReleaseIdentity = BASE,
  withValues = true,
): JsonObject | undefined {
  const pathsOfDocument = index(release).get(document)
  if (pathsOfDocument === undefined) return undefined
  const paths = operationsOf(pathsOfDocument, release)
  const all = renderSchemas(typesNamed(schemasIn(paths), release), 'v3', words)
  const schemas = withValues ? all : withoutValues(all)
  return {
    openapi: '3.0.0',
    info: infoOf(release),
    paths: renderPaths(paths, 'v3', words),
    components: {
      ...(Object.keys(schemas).length > 0 ? { schemas } : {}),
      securitySchemes: SECURITY,
    },
  }
}

/** The first minor release with the emulated version. Recorded from kube-apiserver 1.31. */
const REPORTS_EMULATION = 31

function infoOf({ major, minor, git }: ReleaseIdentity): JsonObject {
  return {
    title: 'Kubernetes',
    version: Number(minor) < REPORTS_EMULATION ? git : `${major}.${minor}`,
  }
}

/** GET /openapi/v2. @param withValues feature gate `OpenAPIEnums` */
export function openapiV2(
  groups: ServedGroup[],
  custom: CustomResource[],
  words: Words,
  release: ReleaseIdentity = BASE,
  withValues = true,
): JsonObject {
  const served = builtinDocuments(groups, release)
  const paths = operationsOf(
    served.flatMap((document) => index(release).get(document) ?? []),
    release,
  )
  for (const [path, operations] of customPaths(custom, modelOfRelease(release)))
    paths.set(path, operations)
  const builtin = renderSchemas(typesNamed(schemasIn(paths), release), 'v2', words)
  const definitions = {
    ...(withValues ? builtin : withoutValues(builtin)),
    ...customDefinitions(custom),
  }
  const document = {
    swagger: '2.0',
    info: infoOf(release),
    paths: renderPaths(paths, 'v2', words),
    definitions: Object.fromEntries(
      Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    securityDefinitions: SECURITY,
    security: [{ BearerToken: [] }],
  }
  return Number(release.minor) < SHARES_PARAMETERS ? document : withSharedParameters(document)
}

function typesNamed(names: Iterable<string>, release: ReleaseIdentity): TypeNode[] {
  const model = modelOfRelease(release)
  return [...names].flatMap((name) => model.byName(name) ?? [])
}

function operationsOf(paths: string[], release: ReleaseIdentity): Paths {
  return new Map(paths.map((path) => [path, operationsAt(path, release)]))
}

function operationsAt(path: string, release: ReleaseIdentity): Map<string, ApiOperation> {
  const operations = new Map<string, ApiOperation>()
  for (const [method, facts] of Object.entries(
    entryOf(operationsOfRelease(release.name, release.own?.tables), path) ?? {},
  )) {
    const operation = facts.gvk
      ? resourceOperation(routeOf(path, method, release))
      : documentOperation(path, facts, changesOf(release.name))
    if (operation) operations.set(method, operation)
  }
  return operations
}

function routeOf(path: string, method: string, release: ReleaseIdentity): Route {
  const all = operationsOfRelease(release.name, release.own?.tables)
  const facts = entryOf(entryOf(all, path) ?? {}, method) ?? { operationId: '' }
  const { group = '', version = '', kind = '' } = facts.gvk ?? {}
  const model = modelOfRelease(release)
  const [, parentPath] = /^(.*\/\{name\})\/[^/]+(?:\/\{path\})?$/.exec(path) ?? []
  const parent = parentPath ? entryOf(all, parentPath)?.get?.gvk?.kind : undefined
  const [, resource = ''] = /\/([^/{}]+)\/\{name\}/.exec(path) ?? []
  return {
    path,
    method,
    facts,
    origin: 'builtin',
    schema: model.byKind(group, version, kind)?.name ?? '',
    listSchema: model.byKind(group, version, `${kind}List`)?.name ?? '',
    returnsDeletedObject: RETURN_DELETED_OBJECT.has(resource),
    deletesUnsafely: hasDeleteOption(model, UNSAFE_DELETION),
    listsShards: hasShards(model),
    ...(parent ? { parentKind: parent } : {}),
  }
}
