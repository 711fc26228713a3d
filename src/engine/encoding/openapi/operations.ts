/** Built-in operations are generated tables; those of custom resources are in custom.ts. */

import { API_DOMAIN, MEDIA_TYPE } from '../../core/names'
import type { Operation } from '../../generated/operations'
import type { ChangeName, Changes } from '../../release-tables/changes'
import { type Parameter, parametersOf, pathParameters } from './parameters'
import type { Route } from './route'

export interface ApiOperation {
  tags: string[]
  description: string
  operationId: string
  parameters: Parameter[]
  body?: { schema: string; required: boolean; mediaTypes: string[] }
  responses: { status: string; description: string; schema?: string }[]
  /** Only in version 2; any media type if absent. */
  consumes?: string[]
  produces: string[]
  action?: string
  groupVersionKind?: { group: string; version: string; kind: string }
}

export const TEXT = ':text'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const { json, yaml, protobuf } = MEDIA_TYPE
const DOCUMENT_TYPES = [json, yaml, protobuf]
const STREAMS = [`${json};stream=watch`, `${protobuf};stream=watch`]

export function resourceOperation(route: Route): ApiOperation {
  const { facts, origin, path } = route
  const mediaTypes = origin === 'custom' ? [json, yaml] : DOCUMENT_TYPES
  const watches =
    origin === 'builtin' && ['list', 'watch', 'watchlist'].includes(facts.action ?? '')
  const operation: ApiOperation = {
    tags: [tagOf(facts.gvk, path)],
    description: describe(route),
    operationId: facts.operationId,
    parameters: [...pathParameters(path, facts.gvk?.kind ?? ''), ...parametersOf(route)],
    responses: [...responsesOf(route), { status: '401', description: 'Unauthorized' }],
    produces:
      facts.action === 'connect'
        ? ['*/*']
        : path.endsWith('/log')
          ? ['text/plain', ...mediaTypes]
          : [...mediaTypes, ...(watches ? STREAMS : [])],
  }
  const body = bodyOf(route)
  if (body) operation.body = body
  // Custom resources list them for every operation.
  if (origin === 'custom') operation.consumes = mediaTypes
  if (facts.action) operation.action = facts.action
  if (facts.gvk) operation.groupVersionKind = facts.gvk
  return operation
}

function bodyOf({ facts, origin, schema }: Route): ApiOperation['body'] {
  const objects = origin === 'custom' ? [json, yaml] : ['*/*']
  const { applyPatch, jsonPatch, mergePatch, strategicMergePatch } = MEDIA_TYPE
  const patches = [
    jsonPatch,
    mergePatch,
    ...(origin === 'custom' ? [] : [strategicMergePatch]),
    applyPatch,
  ]
  switch (facts.action) {
    case 'post':
    case 'put':
      return { schema, required: true, mediaTypes: objects }
    case 'patch':
      return { schema: `${META}.Patch`, required: true, mediaTypes: patches }
    case 'delete':
      return { schema: `${META}.DeleteOptions`, required: false, mediaTypes: objects }
    case 'deletecollection':
      return origin === 'custom'
        ? undefined
        : { schema: `${META}.DeleteOptions`, required: false, mediaTypes: objects }
    default:
      return undefined
  }
}

function responsesOf({
  facts,
  origin,
  schema,
  listSchema,
  returnsDeletedObject,
  path,
}: Route): ApiOperation['responses'] {
  const ok = (name: string) => ({ status: '200', description: 'OK', schema: name })
  const created = { status: '201', description: 'Created', schema }
  switch (facts.action) {
    case 'list':
      return [ok(listSchema)]
    case 'post':
      return [ok(schema), created, { status: '202', description: 'Accepted', schema }]
    case 'put':
      return [ok(schema), created]
    case 'patch':
      return origin === 'custom' ? [ok(schema)] : [ok(schema), created]
    case 'delete': {
      const deleted = returnsDeletedObject ? schema : `${META}.Status`
      return [ok(deleted), { status: '202', description: 'Accepted', schema: deleted }]
    }
    case 'deletecollection':
      return [ok(`${META}.Status`)]
    case 'watch':
    case 'watchlist':
      return [ok(`${META}.WatchEvent`)]
    case 'connect':
      return [ok(TEXT)]
    default:
      return [ok(path.endsWith('/log') ? TEXT : schema)]
  }
}

function withArticle(noun: string): string {
  if (/[^s]s$/.test(noun)) return noun
  return /^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** Listed, but not watched. */
const UNWATCHED = new Set(['ComponentStatus'])
const INSTEAD = "deprecated: use the 'watch' parameter with a list operation instead"

function describe({ facts, origin, path, method, parentKind }: Route): string {
  const kind = parentKind ?? facts.gvk?.kind ?? ''
  const [, subresource] = /\{name\}\/([^/]+)/.exec(path) ?? []
  const of = subresource ? `${subresource} of ` : ''
  switch (facts.action) {
    case 'list':
      return `list ${origin === 'custom' || UNWATCHED.has(kind) ? '' : 'or watch '}objects of kind ${kind}`
    case 'post':
      return `create ${of}${withArticle(kind)}`
    case 'put':
      return `replace ${of}the specified ${kind}`
    case 'patch':
      return `partially update ${of}the specified ${kind}`
    case 'delete':
      return `delete ${of}${withArticle(kind)}`
    case 'deletecollection':
      return `delete collection of ${kind}`
    case 'watch':
      return `watch changes to an object of kind ${kind}. ${INSTEAD}, filtered to a single item with the 'fieldSelector' parameter.`
    case 'watchlist':
      return `watch individual changes to a list of ${kind}. ${INSTEAD}.`
    case 'connect':
      return `connect ${method.toUpperCase()} requests to ${subresource ?? ''} of ${kind}`
    default:
      return `read ${of}the specified ${kind}`
  }
}

/** `apps_v1`, `rbacAuthorization_v1`, `doc2ExampleCom_v1` */
function tagOf(kind: Operation['gvk'], path: string): string {
  const [, group = '', version = kind?.version ?? ''] =
    /^\/(?:apis\/([^/]+)|api)(?:\/([^/]+))?/.exec(path) ?? []
  return version === '' ? groupTag(group) : `${groupTag(group)}_${version}`
}

export function groupTag(group: string): string {
  const own = group.endsWith(`.${API_DOMAIN}`) ? group.slice(0, -API_DOMAIN.length - 1) : group
  const words = own.split(/[^A-Za-z0-9]+/)
  const joined = words
    .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  return joined || 'core'
}

export function documentOperation(
  path: string,
  facts: Operation,
  changes: Changes,
): ApiOperation | undefined {
  const about = DOCUMENTS.find(({ pattern }) => pattern.test(path))
  if (about === undefined) return undefined
  const produces = about.produces ?? DOCUMENT_TYPES
  const [, group = ''] = /^\/apis\/([^/]+)/.exec(path) ?? []
  return {
    tags: [about.tag ?? (/\/v[^/]+\/$/.test(path) ? tagOf(undefined, path) : groupTag(group))],
    description: describedAs(about, changes),
    operationId: facts.operationId,
    parameters: [],
    responses: [
      { status: '200', description: 'OK', schema: about.schema },
      { status: '401', description: 'Unauthorized' },
    ],
    consumes: about.schema === TEXT ? [] : produces,
    produces,
  }
}

interface Document {
  pattern: RegExp
  description: string
  reworded?: { change: ChangeName; description: string }
  schema: string
  tag?: string
  produces?: string[]
}

const describedAs = ({ description, reworded }: Document, changes: Changes): string =>
  reworded && changes.has(reworded.change) ? reworded.description : description

const DOCUMENTS: Document[] = [
  {
    pattern: /^\/api\/$/,
    description: 'get available API versions',
    schema: `${META}.APIVersions`,
  },
  {
    pattern: /^\/apis\/$/,
    description: 'get available API versions',
    schema: `${META}.APIGroupList`,
    tag: 'apis',
  },
  {
    pattern: /^\/(api|apis\/[^/]+)\/v[^/]+\/$/,
    description: 'get available resources',
    schema: `${META}.APIResourceList`,
  },
  {
    pattern: /^\/apis\/[^/]+\/$/,
    description: 'get information of a group',
    schema: `${META}.APIGroup`,
  },
  {
    pattern: /^\/version\/$/,
    description: 'get the code version',
    reworded: {
      change: 'VersionDocumentDescribed',
      description: 'get the version information for this server',
    },
    schema: 'io.k8s.apimachinery.pkg.version.Info',
    tag: 'version',
    produces: [json],
  },
  {
    pattern: /^\/\.well-known\/openid-configuration\/$/,
    description:
      "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
    schema: TEXT,
    tag: 'WellKnown',
    produces: [json],
  },
  {
    pattern: /^\/openid\/v1\/jwks\/$/,
    description:
      'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
    schema: TEXT,
    tag: 'openid',
    produces: ['application/jwk-set+json'],
  },
]
