/**
 * Two steps, as in k8s.io/apiserver: the route's types (case-sensitive, no wildcards but `*∕*`),
 * then quality, parameters and transformations (endpoints/handlers/negotiation). Texts recorded
 * from kube-apiserver 1.31.
 */

import { GROUP, MEDIA_TYPE } from '../core/names'
import { entryOf } from '../core/object'
import { TRUE_TEXTS } from '../schema/go-text'
import { type ApiError, failure } from './status'

export type Format = 'json' | 'yaml' | 'protobuf'

export interface Transform {
  kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  version: 'v1' | 'v1beta1'
}

export interface Negotiated {
  format: Format
  contentType: string
  pretty: boolean
  transform: Transform | undefined
}

const MEDIA_TYPE_OF: Record<Format, string> = {
  json: MEDIA_TYPE.json,
  yaml: MEDIA_TYPE.yaml,
  protobuf: MEDIA_TYPE.protobuf,
}
const BUILT_IN: readonly Format[] = ['json', 'yaml', 'protobuf']
const CUSTOM: readonly Format[] = ['json', 'yaml']
const STREAMS: readonly Format[] = ['json', 'protobuf']

export const OBJECT_TYPES: readonly string[] = BUILT_IN.map((format) => MEDIA_TYPE_OF[format])
export const WATCHED_TYPES: readonly string[] = [
  ...OBJECT_TYPES,
  ...STREAMS.map((format) => `${MEDIA_TYPE_OF[format]};stream=watch`),
]
export const LOG_TYPES: readonly string[] = ['text/plain', ...OBJECT_TYPES]

export interface Endpoint {
  formats: readonly Format[]
  /** For whole objects, not only metadata. */
  whole: readonly Format[]
  watch: boolean
  /** As PartialObjectMetadata. */
  metadata: boolean
  tables: boolean
}

export const OBJECT: Endpoint = {
  formats: BUILT_IN,
  whole: BUILT_IN,
  watch: false,
  metadata: true,
  tables: true,
}
/** Metadata is a built-in kind. */
export const CUSTOM_OBJECT: Endpoint = { ...OBJECT, whole: CUSTOM }
export const ROWLESS_OBJECT: Endpoint = { ...OBJECT, tables: false }
export const ROWLESS_CUSTOM_OBJECT: Endpoint = { ...CUSTOM_OBJECT, tables: false }
export const PLAIN: Endpoint = { ...OBJECT, metadata: false, tables: false }
export const WATCH: Endpoint = {
  formats: STREAMS,
  whole: STREAMS,
  watch: true,
  metadata: true,
  tables: true,
}
export const CUSTOM_WATCH: Endpoint = { ...WATCH, whole: ['json'] }

interface Clause {
  type: string
  quality: number
  parameters: [string, string][]
}

/** The first step. @returns undefined if the header lists one of the route's types */
export function routeRejection(
  accept: string | undefined,
  types: readonly string[] = OBJECT_TYPES,
): ApiError | undefined {
  if (accept === undefined || OBJECT_TYPES.includes(accept)) return undefined
  return unlisted(accept, types) && !accept?.includes(MEDIA_TYPE.protobufAlias)
    ? notRepresented(types)
    : undefined
}

/** Compares literally; no header accepts any type. */
export function unlisted(accept: string | undefined, types: readonly string[]): boolean {
  if (accept === undefined || accept.trim() === '') return false
  return !accept.split(',').some((part) => {
    const type = (part.split(';')[0] as string).trim()
    return type === '*/*' || types.includes(type)
  })
}

export const notRepresented = (types: readonly string[]): ApiError =>
  failure(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`,
    {},
  )

const MOST_HEADERS = 100

function parseAccept(header: string): Clause[] {
  return header
    .split(',')
    .map(parseClause)
    .filter((clause): clause is Clause => clause !== undefined)
    .map((clause, index) => ({ clause, index }))
    .sort(
      (a, b) =>
        b.clause.quality - a.clause.quality ||
        wildness(a.clause) - wildness(b.clause) ||
        a.index - b.index,
    )
    .map(({ clause }) => clause)
}

const wildness = ({ type }: Clause): number => (type === '*/*' ? 2 : type.endsWith('/*') ? 1 : 0)

/** A lone asterisk comes from old Java clients. */
const ALIASES: Record<string, string> = {
  [MEDIA_TYPE.protobufAlias]: MEDIA_TYPE.protobuf,
  '*': '*/*',
}

function parseClause(text: string): Clause | undefined {
  const [type, ...rest] = text.split(';').map((part) => part.trim())
  if (!type) return undefined
  let quality = 1
  const parameters: [string, string][] = []
  for (const part of rest) {
    const [name = '', value, ...more] = part.split('=').map((piece) => piece.trim())
    if (value === undefined || more.join('') !== '') continue
    if (name === 'q') quality = Number.parseFloat(value) || 0
    else parameters.push([name, value])
  }
  return { type: entryOf(ALIASES, type) ?? type, quality, parameters }
}

const outcomes = new Map<Endpoint, Map<string, Negotiated | undefined>>()

/** The second step. @returns undefined if nothing available is acceptable */
export function negotiate(accept: string | undefined, endpoint: Endpoint): Negotiated | undefined {
  const header = accept ?? ''
  let known = outcomes.get(endpoint)
  if (known === undefined) outcomes.set(endpoint, (known = new Map()))
  let found = known.get(header)
  if (found === undefined && !known.has(header)) {
    if (known.size > MOST_HEADERS) known.clear()
    known.set(header, (found = negotiated(accept, endpoint)))
  }
  return found
}

function negotiated(accept: string | undefined, endpoint: Endpoint): Negotiated | undefined {
  const first = endpoint.formats[0] as Format
  if (accept === undefined || accept.trim() === '')
    return outcome(first, endpoint, undefined, false)
  for (const { type, parameters } of parseAccept(accept)) {
    for (const format of endpoint.formats) {
      const media = MEDIA_TYPE_OF[format]
      if (type !== media && type !== '*/*' && type !== `${media.split('/')[0]}/*`) continue
      const accepted = acceptParameters(parameters, format, endpoint)
      if (accepted) return accepted
    }
  }
  return undefined
}

function acceptParameters(
  parameters: [string, string][],
  format: Format,
  endpoint: Endpoint,
): Negotiated | undefined {
  let as = ''
  let group = ''
  let version = ''
  let pretty = false
  for (const [name, value] of parameters) {
    if (name === 'as') as = value
    else if (name === 'g') group = value
    else if (name === 'v') version = value
    else if (name === 'pretty') pretty = value === '1'
    else if (name === 'stream' && value !== '' && (value !== 'watch' || !STREAMS.includes(format)))
      return undefined
    // The server has one version of its own types.
    else if (name === 'sv' && value !== '' && !(endpoint.metadata && value === 'v1'))
      return undefined
  }
  if (as === '' && group === '' && version === '')
    return endpoint.whole.includes(format)
      ? outcome(format, endpoint, undefined, pretty)
      : undefined
  if (!endpoint.metadata || group !== GROUP.meta || (version !== 'v1' && version !== 'v1beta1'))
    return undefined
  if (
    as === 'Table'
      ? !endpoint.tables || format === 'protobuf'
      : as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList'
  )
    return undefined
  return outcome(format, endpoint, { kind: as as Transform['kind'], version }, pretty)
}

function outcome(
  format: Format,
  endpoint: Endpoint,
  transform: Transform | undefined,
  pretty: boolean,
): Negotiated {
  const contentType =
    endpoint.watch && format === 'protobuf'
      ? `${MEDIA_TYPE.protobuf};stream=watch`
      : MEDIA_TYPE_OF[format]
  return { format, contentType, pretty, transform }
}

/** Also lists types that are unavailable for custom resources (recording `crd-basics`). */
export function notAcceptable(endpoint: Endpoint): ApiError {
  const types = (endpoint.watch ? STREAMS : BUILT_IN).map((format) =>
    endpoint.watch ? `${MEDIA_TYPE_OF[format]};stream=watch` : MEDIA_TYPE_OF[format],
  )
  return failure(
    406,
    'NotAcceptable',
    `only the following media types are accepted: ${types.join(', ')}`,
  )
}

const PEOPLE = ['curl', 'Wget', 'Mozilla/5.0']

/**
 * Defaults to true for browsers, curl and wget (k8s.io/apiserver, endpoints/handlers/negotiation,
 * `isPrettyPrint`).
 */
export function wantsPretty(pretty: string | undefined, userAgent: string | undefined): boolean {
  if (pretty) return TRUE_TEXTS.has(pretty)
  return userAgent !== undefined && PEOPLE.some((client) => userAgent.startsWith(client))
}

function bodyFormat(contentType: string | undefined, custom: boolean): Format | undefined {
  if (contentType === undefined || contentType.trim() === '') return 'json'
  if (contentType === MEDIA_TYPE.json) return 'json'
  const [type, ...parameters] = contentType.split(';')
  if (parameters.some((parameter) => parameter.trim() !== '' && !parameter.includes('=')))
    return undefined
  const name = (type as string).trim().toLowerCase()
  if (name === MEDIA_TYPE.protobufAlias) return custom ? undefined : 'protobuf'
  return (custom ? CUSTOM : BUILT_IN).find((format) => MEDIA_TYPE_OF[format] === name)
}

/** @throws ApiError 415, which lists Protobuf even for custom resources */
export function demandedFormat(contentType: string | undefined, custom: boolean): Format {
  const format = bodyFormat(contentType, custom)
  if (format !== undefined) return format
  const types = OBJECT_TYPES.join(', ')
  throw failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${types}`,
  )
}
