import type { Clock } from '../core/environment'
import type { JsonObject, KubeObject } from '../core/object'
import { tableOfColumns, tableTextOfColumns } from '../encoding/custom-table'
import { partialObjectMetadata, partialObjectMetadataList } from '../encoding/partial-metadata'
import { encodeProtobuf } from '../encoding/protobuf/codec'
import { type IncludeObject, type TableOptions, tableOf, tableText } from '../encoding/table'
import { toYaml } from '../encoding/yaml'
import type { ListResult } from '../registry/list'
import type { Resource } from '../registry/resource'
import { escapeHtml } from '../schema/canonical'
import { goQuote } from '../schema/go-text'
import type { StoredObject } from '../storage/storage'
import type { ApiResponse } from './messages'
import type { Negotiated, Transform } from './negotiation'
import { type ApiError, badRequest, failure, type Status, serverError } from './status'
import { responseJson, servedObject, storedListJson, writtenJson } from './stored-json'

export type Found = KubeObject | StoredObject | Status

export function isStored(found: Found): found is StoredObject {
  return 'encoded' in found
}

export interface ResponseContext {
  resource: Resource
  negotiated: Negotiated
  clock: Clock
  pretty: boolean
  includeObject: string
  written: boolean
}

export function respondObject(context: ResponseContext, code: number, found: Found): ApiResponse {
  const { negotiated, resource, pretty } = context
  if (negotiated.transform && !isStatus(found))
    return respondJsonLike(context, code, transformed(context, negotiated.transform, found))
  if (negotiated.format === 'json' && isStored(found) && !pretty)
    return {
      status: code,
      headers: { 'content-type': negotiated.contentType },
      body: context.written ? writtenJson(found, resource) : responseJson(found, resource),
    }
  return respondJsonLike(
    context,
    code,
    isStatus(found)
      ? (found as unknown as JsonObject)
      : (servedObject(found, resource) as unknown as JsonObject),
  )
}

function isStatus(found: Found): found is Status {
  return (
    !isStored(found) &&
    found.kind === 'Status' &&
    found.apiVersion === 'v1' &&
    'status' in found &&
    typeof found.status === 'string'
  )
}

function transformed(
  context: ResponseContext,
  transform: Transform,
  found: KubeObject | StoredObject,
): JsonObject {
  const object = servedObject(found, context.resource)
  if (transform.kind === 'Table') {
    const { resourceVersion } = object.metadata
    const options = tableOptions(context, transform, resourceVersion ? { resourceVersion } : {})
    return tableFor(context.resource, [object], {
      ...options,
      ...shownAsStored([found], [object], context.resource),
    })
  }
  if (transform.kind === 'PartialObjectMetadata') {
    const { changes } = context.resource.tables
    const partial = partialObjectMetadata(object, transform.version) as unknown as JsonObject
    return changes.has('NullCreationTimestampOmitted') ? withoutUnsetTime(partial) : partial
  }
  // kube-apiserver decodes custom resources as possible lists, and fails later.
  if (context.resource.custom) throw serverError('content is not a list')
  throw notTransformable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${goTypeOf(context.resource)})`,
  )
}

/** Objects that are not stored have no creation time. */
function withoutUnsetTime(partial: JsonObject): JsonObject {
  const { creationTimestamp, ...metadata } = partial.metadata as JsonObject
  return creationTimestamp === null ? { ...partial, metadata } : partial
}

const notTransformable = (message: string): ApiError => failure(406, 'NotAcceptable', message)

/** The internal type: `*core.ConfigMap`. */
function goTypeOf(resource: Resource): string {
  const group = resource.errorGroup === '' ? 'core' : (resource.errorGroup.split('.')[0] as string)
  return resource.custom ? 'unstructured.Unstructured' : `${group}.${resource.kind}`
}

function tableOptions(
  context: ResponseContext,
  transform: Transform,
  listMeta: JsonObject,
): TableOptions {
  const { clock, includeObject } = context
  return {
    now: clock.now(),
    includeObject: parseIncludeObject(includeObject),
    withColumns: true,
    listMeta,
    version: transform.version,
  }
}

/** The requested version may lack members. */
export function shownAsStored(
  found: readonly (KubeObject | StoredObject)[],
  served: readonly KubeObject[],
  { toHub }: Resource,
): Pick<TableOptions, 'asShown'> {
  if (!toHub) return {}
  const stored = new Map(found.map((one, i) => [served[i], isStored(one) ? one.object : one]))
  return { asShown: (object) => stored.get(object) ?? object }
}

/** @throws ApiError 400 for an unknown value */
export function parseIncludeObject(value: string): IncludeObject {
  if (value === '' || value === 'Metadata') return 'Metadata'
  if (value === 'None' || value === 'Object') return value
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  )
}

/** Built-in items omit kind and apiVersion. */
export function respondList(context: ResponseContext, list: ListResult): ApiResponse {
  const { negotiated, resource, pretty } = context
  const metadata = listMetadata(list)
  const { transform } = negotiated
  if (transform !== undefined) {
    const objects = list.items.map((item) => servedObject(item, resource))
    if (transform.kind === 'Table') {
      const options = tableOptions(context, transform, metadata)
      return respondTable(context, objects, {
        ...options,
        ...shownAsStored(list.items, objects, resource),
      })
    }
    if (transform.kind === 'PartialObjectMetadataList')
      return respondJsonLike(
        context,
        200,
        partialObjectMetadataList(objects, metadata, transform.version),
      )
    throw notTransformable(
      `you requested PartialObjectMetadata, but the requested object is a list (*${goTypeOf(resource)}List)`,
    )
  }
  if (negotiated.format !== 'json' || pretty || resource.custom) {
    const items = list.items.map((item) => listItem(servedObject(item, resource), resource))
    const document: JsonObject = resource.custom
      ? {
          apiVersion: resource.apiVersion,
          items,
          kind: resource.listKind,
          metadata: { continue: '', ...metadata },
        }
      : { kind: resource.listKind, apiVersion: resource.apiVersion, metadata, items }
    return respondJsonLike(context, 200, document)
  }
  const head = `{"kind":"${resource.listKind}","apiVersion":"${resource.apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`
  return {
    status: 200,
    headers: { 'content-type': negotiated.contentType },
    body: storedListJson(head, list.items, resource),
  }
}

/** Joins cached texts where possible. */
function respondTable(
  context: ResponseContext,
  objects: KubeObject[],
  options: TableOptions,
): ApiResponse {
  const { negotiated, resource, pretty } = context
  if (negotiated.format !== 'json' || pretty || negotiated.pretty)
    return respondJsonLike(context, 200, tableFor(resource, objects, options))
  const text = resource.columns
    ? tableTextOfColumns(resource.columns, objects, options)
    : tableText(resource, objects, options)
  return textResponse(200, negotiated.contentType, `${text}\n`)
}

export function tableFor(
  resource: Resource,
  objects: KubeObject[],
  options: TableOptions,
): JsonObject {
  return resource.columns
    ? tableOfColumns(resource.columns, objects, options)
    : tableOf(resource, objects, options)
}

function listItem(object: KubeObject, resource: Resource): JsonObject {
  if (resource.custom) return object as unknown as JsonObject
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object
  return rest as unknown as JsonObject
}

function listMetadata(list: ListResult): JsonObject {
  return {
    ...(list.revision === 0 ? {} : { resourceVersion: String(list.revision) }),
    ...(list.continue ? { continue: list.continue } : {}),
    ...(list.remainingItemCount ? { remainingItemCount: list.remainingItemCount } : {}),
  }
}

export function respondJsonLike(
  context: Pick<ResponseContext, 'negotiated' | 'pretty'> &
    Partial<Pick<ResponseContext, 'resource'>>,
  code: number,
  document: JsonObject,
): ApiResponse {
  const { format, contentType } = context.negotiated
  if (format === 'yaml') return textResponse(code, contentType, toYaml(document))
  if (format === 'protobuf')
    return {
      status: code,
      headers: { 'content-type': contentType },
      body: encodeProtobuf(document, context.resource?.tables),
    }
  return textResponse(
    code,
    contentType,
    jsonText(document, context.pretty || context.negotiated.pretty),
  )
}

export function jsonText(document: unknown, pretty: boolean): string {
  return escapeHtml(pretty ? JSON.stringify(document, null, 2) : `${JSON.stringify(document)}\n`)
}

export function textResponse(status: number, contentType: string, body: string): ApiResponse {
  return { status, headers: { 'content-type': contentType }, body }
}

export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }

/** Browsers must not interpret errors as HTML. */
export function plainText(status: number, body: string): ApiResponse {
  const response = textResponse(status, 'text/plain; charset=utf-8', body)
  if (status >= 400) Object.assign(response.headers, NO_SNIFFING)
  return response
}

export function htmlEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Before negotiation. Recorded from kube-apiserver 1.31. */
export const internalServerError = (target: string, why: string): ApiResponse =>
  plainText(500, `${htmlEscaped(`Internal Server Error: ${goQuote(target)}: ${why}`)}\n`)

/** Before negotiation: indented JSON without a final newline. Recorded from kube-apiserver 1.31. */
export function respondStatus(
  error: ApiError,
  negotiated: Negotiated | undefined,
  pretty: boolean,
): ApiResponse {
  const document = error.status as unknown as JsonObject
  const response =
    negotiated === undefined || negotiated.transform !== undefined
      ? textResponse(error.code, 'application/json', jsonText(document, true))
      : respondJsonLike({ negotiated, pretty }, error.code, document)
  Object.assign(response.headers, error.headers)
  return response
}
