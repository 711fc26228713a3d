/** Decodes a request's body into a draft. Messages recorded from kube-apiserver 1.31. */

import {
  apiVersionOf,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../core/object'
import {
  type Envelope,
  envelopeOf as envelopeIn,
  opened,
  ProtobufError,
  UnknownKind,
} from '../encoding/protobuf/codec'
import type { Resource } from '../registry/resource'
import type { ReleaseTables } from '../release-tables/tables'
import { canonicalize } from '../schema/canonical'
import type { Nulls } from '../schema/custom-defaults'
import { DecodeError, decodeObject } from '../schema/decode'
import type { Decoded } from '../schema/decode-options'
import { applyDefaults } from '../schema/defaults'
import { ENVELOPE, envelopeOf, jsonTypeName, SyntaxProblem } from '../schema/envelope'
import { kindOfEveryRelease } from '../schema/every-release'
import { goQuote } from '../schema/go-text'
import {
  type DocumentDetails,
  JsonSyntaxError,
  type ReadDocument,
  readJson,
} from '../schema/json-reader'
import type { StructType } from '../schema/model'
import { MOST_NESTED, MOST_READ } from '../schema/nesting'
import { INTERNAL, type NamedKind, unconvertible, unregistered } from '../schema/registered-kinds'
import { readYaml, warningsOf, YamlSyntaxError } from '../schema/yaml/reader'
import type { Trace } from '../telemetry/trace'
import type { ApiRequest } from './messages'
import { demandedFormat, type Format } from './negotiation'
import { bodyTooLarge } from './options'
import { type ApiError, badRequest } from './status'

const MAX_BODY_BYTES = 3 * 1024 * 1024

/** @throws ApiError 413 */
export function withinLimit(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES)
  return bytes
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const bodyText = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Text if the body begins like JSON, else hexadecimal. */
function preview(bytes: Uint8Array): string {
  const quoted = 30
  if (bytes.length === 0) return '<empty>'
  const head = bytes.subarray(0, quoted)
  const text =
    bytes[0] === 0x7b
      ? bodyText(head)
      : Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytes.length > quoted ? `${text} ...` : text
}

export interface ReadValue {
  value: JsonObject
  /** Absent for Protobuf. */
  text?: string
  /** Set if only the kind could be decoded. */
  misread?: string
  duplicates: string[]
  details?: DocumentDetails | undefined
}

/**
 * @param assumed kind and version for a Protobuf body without them
 * @throws SyntaxProblem
 */
export function parseBody(
  bytes: Uint8Array,
  format: Format,
  deepest = MOST_READ,
  assumed: Assumed = { apiVersion: '', kind: '' },
): ReadValue {
  if (format === 'protobuf') return protobufValue(bytes, assumed)
  const text = bodyText(bytes)
  const { value, duplicates, details } = readText(text, format, deepest)
  if (value === null) return { value: {}, duplicates, text }
  if (!isJsonObject(value))
    throw new SyntaxProblem(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${ENVELOPE}`,
    )
  envelopeOf(value)
  return { value, duplicates, details, text }
}

type Assumed = Pick<Expected, 'apiVersion' | 'kind'> & Partial<Pick<Expected, 'tables'>>

function protobufValue(bytes: Uint8Array, assumed: Assumed): ReadValue {
  const { raw, ...typeMeta } = unsealed(bytes)
  const apiVersion = isVersion(typeMeta.apiVersion) ? typeMeta.apiVersion : assumed.apiVersion
  const kind = typeMeta.kind || assumed.kind
  const envelope = { apiVersion, kind, raw }
  try {
    return { value: opened(envelope, assumed.tables) as unknown as JsonObject, duplicates: [] }
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    // An unknown kind gets another message.
    return {
      value: { apiVersion, kind },
      duplicates: [],
      ...(error instanceof UnknownKind ? {} : { misread: error.message }),
    }
  }
}

/** In Protobuf `apps/` and `batch/v/1` count as empty. Recorded from kube-apiserver 1.31. */
const isVersion = (apiVersion: string): boolean => /^(?:[^/]*\/)?[^/]+$/.test(apiVersion)

function unsealed(bytes: Uint8Array): Envelope {
  try {
    return envelopeIn(bytes)
  } catch (error) {
    throw error instanceof ProtobufError ? new SyntaxProblem(error.message) : error
  }
}

function readText(
  text: string,
  format: Exclude<Format, 'protobuf'>,
  deepest: number,
): ReadDocument {
  try {
    return format === 'json' ? readJson(text, deepest) : readYaml(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new SyntaxProblem(`couldn't get version/kind; json parse error: ${error.message}`)
    if (error instanceof YamlSyntaxError) throw new SyntaxProblem(error.message)
    throw error
  }
}

export interface Expected {
  group: string
  version: string
  apiVersion: string
  kind: string
  type: StructType
  tables: ReleaseTables
  custom: boolean
  alsoVersions?: readonly string[]
  defaults?: ((object: KubeObject) => void) | undefined
  unreadable?: Resource['strategy']['unreadable']
  toHub?: ((object: KubeObject) => KubeObject) | undefined
  /** Defaults that the stored version lacks. */
  fill?: Resource['fill']
}

export function expectedOf(resource: Resource): Expected {
  const { group, version, apiVersion, kind, type, tables, custom, strategy, toHub } = resource
  return {
    group,
    version,
    apiVersion,
    kind,
    type,
    tables,
    custom,
    defaults: strategy.defaults,
    // Other versions have the unreadable members elsewhere.
    unreadable: toHub ? undefined : strategy.unreadable,
    toHub,
    fill: resource.fill,
  }
}

/** For subresources. */
export function expectedKind(
  { group, version, kind }: NamedKind,
  type: StructType,
  tables: ReleaseTables,
): Expected {
  const apiVersion = apiVersionOf(group, version)
  return { group, version, apiVersion, kind, type, tables, custom: false }
}

export interface Strictness {
  level: 'Ignore' | 'Warn' | 'Strict'
  warn(text: string): void
  trace?: Pick<Trace, 'bodyBytes'>
}

const MAX_STRICT_PROBLEMS = 100

/** @throws ApiError 400, 413, 415 */
export async function readObject(
  request: ApiRequest,
  expected: Expected,
  strictness: Strictness,
): Promise<KubeObject> {
  const format = demandedFormat(request.header('content-type'), expected.custom)
  const bytes = withinLimit(await request.body())
  if (strictness.trace) strictness.trace.bodyBytes = bytes.length
  const unrecognized = (why: string) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${preview(bytes)})`,
    )
  try {
    const object = decodeValue(
      parseBody(bytes, format, expected.custom ? MOST_NESTED : MOST_READ, expected),
      expected,
      strictness,
    )
    request.understood?.(
      object.metadata,
      expected.toHub ? undefined : () => writtenOut(object, expected),
    )
    return object
  } catch (error) {
    if (error instanceof SyntaxProblem) throw unrecognized(error.message)
    throw error
  }
}

const writtenOut = (object: KubeObject, { type }: Expected): JsonObject =>
  canonicalize(type, object) as unknown as JsonObject

/**
 * @throws ApiError 400
 * @throws SyntaxProblem without apiVersion
 */
function decodeValue(read: ReadValue, expected: Expected, strictness: Strictness): KubeObject {
  const found = expected.custom
    ? customKind(read, expected, strictness)
    : kindOf(read.value, expected)
  const cannot = (why: string) =>
    badRequest(
      `${found.kind} in version ${goQuote(found.version)} cannot be handled as a ${expected.kind}: ${why}`,
    )
  if (found.version === '' && !expected.custom) throw cannot(missing('apiVersion', read))
  const unknown =
    expected.custom || found === expected
      ? undefined
      : unregistered(found, expected, expected.tables)
  if (unknown !== undefined) throw cannot(unknown)
  const { object, problems } = decodeTyped(read, found, expected, cannot)
  const misfit =
    found === expected
      ? expected.unreadable?.(object)
      : expected.custom
        ? undefined
        : unconvertible(found, expected)
  if (misfit !== undefined) throw cannot(misfit)
  if (problems.length > 0) {
    if (strictness.level === 'Strict')
      throw cannot(`strict decoding error: ${problems.slice(0, MAX_STRICT_PROBLEMS).join(', ')}`)
    if (strictness.level === 'Warn') for (const text of warningsOf(problems)) strictness.warn(text)
  }
  if (
    found !== expected &&
    (found.group !== expected.group ||
      !(found.version === expected.version || expected.alsoVersions?.includes(found.version)))
  ) {
    throw otherVersion(apiVersionOf(found.group, found.version), expected)
  }
  return completed(object, expected)
}

const otherVersion = (found: string, { apiVersion }: Expected): ApiError =>
  badRequest(
    `the API version in the data (${found}) does not match the expected API version (${apiVersion})`,
  )

function decodeTyped(
  read: ReadValue,
  found: NamedKind,
  expected: Expected,
  cannot: (why: string) => ApiError,
): Decoded {
  if (read.misread !== undefined) throw cannot(read.misread)
  if (found.version === INTERNAL) return decodeInternal(read.value)
  const type =
    expected.custom || found === expected ? undefined : kindOfEveryRelease(found, expected.tables)
  try {
    return decodeObject(type ?? expected.type, read.value, read)
  } catch (error) {
    if (error instanceof DecodeError) throw cannot(error.message)
    throw error
  }
}

/** Internal types have no JSON names. */
export function decodeInternal(value: JsonObject): Decoded {
  const unknown = Object.keys(value).filter((name) => name !== 'kind' && name !== 'apiVersion')
  return {
    object: { kind: '', apiVersion: '', metadata: {} },
    problems: unknown.sort().map((name) => `unknown field ${goQuote(name)}`),
  }
}

/**
 * Sets defaults, and converts to the stored version. The kind of a custom resource is checked
 * later.
 */
export function completed(object: KubeObject, expected: Expected, nulls?: Nulls): KubeObject {
  object.kind = expected.custom ? (object.kind ?? expected.kind) : expected.kind
  object.apiVersion = expected.custom ? (object.apiVersion ?? '') : expected.apiVersion
  object.metadata ??= {}
  applyDefaults(expected.type, object, nulls)
  expected.fill?.(object)
  const hub = expected.toHub ? expected.toHub(object) : object
  expected.defaults?.(hub)
  return hub
}

/**
 * Built-in kinds may omit kind and apiVersion, or the version (`apps/`).
 * @returns `expected` itself for the same kind
 * @throws SyntaxProblem
 */
export function kindOf(value: JsonObject, expected: Expected): NamedKind {
  const typeMeta = expected.custom
    ? (value as { apiVersion?: string; kind?: string })
    : envelopeOf(value)
  const apiVersion = typeMeta.apiVersion || expected.apiVersion
  const kind = typeMeta.kind || expected.kind
  if (apiVersion === expected.apiVersion && kind === expected.kind) return expected
  if (apiVersion.split('/').length > 2)
    throw new SyntaxProblem(`unexpected GroupVersion string: ${apiVersion}`)
  const { group, version } = parseApiVersion(apiVersion)
  if (version !== '' || expected.custom || (group !== '' && group !== expected.group))
    return { group, version, kind }
  return { group: expected.group, version: expected.version, kind }
}

/** For a null apiVersion of a custom resource. */
export const NO_TEXT = '.apiVersion accessor error: <nil> is of the type <nil>, expected string'

/**
 * Without apiVersion a custom resource counts as another kind. Recorded from kube-apiserver 1.31.
 */
function customKind(read: ReadValue, expected: Expected, { level }: Strictness): NamedKind {
  const { kind, apiVersion } = read.value
  if (!kind && level === 'Ignore') {
    // Without field validation, kube-apiserver decodes by the JSON type metadata.
    const { version } = kindOf(read.value, expected)
    throw badRequest(
      `${expected.kind} in version ${goQuote(version)} cannot be handled as a ${expected.kind}: ${missing('Kind', { ...read, text: JSON.stringify(read.value) })}`,
    )
  }
  if (!kind) throw new SyntaxProblem(missing('Kind', read))
  if (apiVersion === null)
    throw badRequest(`${kind} in version "" cannot be handled as a ${expected.kind}: ${NO_TEXT}`)
  if (!apiVersion) throw otherVersion('', expected)
  return kindOf(read.value, expected)
}

const missing = (name: string, { value, text = JSON.stringify(value) }: ReadValue): string =>
  `Object '${name}' is missing in '${text}'`
