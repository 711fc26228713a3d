/** How the fuzzer spoils requests: each mutation is data, so that a failing run can be repeated and made smaller. */
import fc from 'fast-check'
import { isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import { encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { toYaml } from '../../src/engine/encoding/yaml'
import type { FuzzRequest } from './corpus'

export type Mutation =
  | { on: 'method'; method: string }
  | { on: 'segment'; at: number; text: string }
  | { on: 'parameter'; name: string; value: string }
  | { on: 'header'; name: string; value: string }
  | { on: 'member'; at: number; value: Json | undefined }
  | { on: 'name'; at: number; name: string }
  | { on: 'bytes'; at: number; bytes: number[] }
  | { on: 'form'; form: 'yaml' | 'protobuf' | 'list' }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'FROB']
const SEGMENTS = [
  '',
  'api',
  'apis',
  'v1',
  'apps',
  'namespaces',
  'fuzzed',
  'pods',
  'status',
  'scale',
  'watch',
  'proxy',
  'a',
  '..',
  '%25',
  '%2F',
  '%',
  'é',
  'x'.repeat(300),
]
const ACCEPTS = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  '*/*',
  'application/*',
  'text/html',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/yaml;q=0.9,application/vnd.kubernetes.protobuf;q=0.1',
  'application/json;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2',
  ';;q=x,,',
]
const CONTENT_TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/json; charset=utf-8',
  'text/plain',
  '',
]
const PARAMETERS: Record<string, string[]> = {
  watch: ['1', 'true', '', '0'],
  timeoutSeconds: ['1', '0', '-1', 'x'],
  timeout: ['1s', 'x', '0', '-3h'],
  resourceVersion: ['0', '1', '7', '99999999', 'abc', '-1', ''],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'x'],
  limit: ['1', '0', '-1', '500', '', '1e3'],
  continue: ['abc', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhIn0', ''],
  labelSelector: ['a=b', 'a in (b,c)', '!a', 'a in (', ',', 'a==b,c!=d', '(', 'a>1'],
  fieldSelector: ['metadata.name=a', 'metadata.namespace!=x', 'spec.nodeName=', 'a=b=c', ',', '\\'],
  fieldManager: ['me', '', 'x'.repeat(200), '\u0000'],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'strict', ''],
  dryRun: ['All', 'x', ''],
  force: ['true', 'false', ''],
  pretty: ['1', 'true', 'x'],
  includeObject: ['None', 'Object', 'Metadata', 'object'],
  gracePeriodSeconds: ['0', '30', '-1', 'x'],
  propagationPolicy: ['Foreground', 'Orphan', 'x'],
  orphanDependents: ['true', 'x'],
  sendInitialEvents: ['true', 'x'],
  allowWatchBookmarks: ['true', ''],
  exclude: ['etcd', 'x'],
  verbose: [''],
}

const unusualText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '"',
    '\\',
    '\n',
    'null',
    '~',
    '-',
    '..',
    '__proto__',
    'constructor',
    '1e999',
    '0x1F',
    '100m',
    '2026-01-01T00:00:00Z',
    '$patch',
    'x'.repeat(2000),
    '💥',
    '\ud800',
  ),
  fc.string({ maxLength: 20 }),
)
const unusualJson: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    -0,
    9007199254740992,
    2147483648,
    '',
    [],
    {},
    [null],
    [[]],
    [{}],
    { '': null },
    { a: null },
    { $patch: 'delete' },
    { $patch: 'replace' },
    ['a', 1],
  ),
  unusualText,
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
)
const parameter = fc.constantFrom(...Object.keys(PARAMETERS)).chain((name) =>
  fc.record({
    on: fc.constant('parameter' as const),
    name: fc.constant(name),
    value: fc.oneof(fc.constantFrom(...(PARAMETERS[name] ?? [''])), unusualText),
  }),
)

/** Headers hold visible characters only; a host rejects the rest before the engine sees it. */
const headerValue = fc
  .string({ maxLength: 30 })
  .map((text) => text.replace(/[^\x20-\x7e]/g, '').trim())
const header = fc.oneof(
  fc.record({
    on: fc.constant('header' as const),
    name: fc.constant('accept'),
    value: fc.oneof(fc.constantFrom(...ACCEPTS), headerValue),
  }),
  fc.record({
    on: fc.constant('header' as const),
    name: fc.constant('content-type'),
    value: fc.oneof(fc.constantFrom(...CONTENT_TYPES), headerValue),
  }),
  fc.record({
    on: fc.constant('header' as const),
    name: fc.constantFrom(
      'accept-encoding',
      'if-none-match',
      'user-agent',
      'authorization',
      'impersonate-user',
      'x-other',
    ),
    value: fc.oneof(fc.constantFrom('gzip', '*', 'Bearer x', 'curl/8'), headerValue),
  }),
)

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('method' as const),
      method: fc.constantFrom(...METHODS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('segment' as const),
      at: fc.nat(9),
      text: fc.oneof(fc.constantFrom(...SEGMENTS), unusualText.map(encodeSegment)),
    }),
  },
  { weight: 2, arbitrary: parameter },
  { weight: 2, arbitrary: header },
  {
    weight: 6,
    arbitrary: fc.record({
      on: fc.constant('member' as const),
      at: fc.nat(200),
      value: fc.oneof(unusualJson, fc.constant(undefined)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ on: fc.constant('name' as const), at: fc.nat(200), name: unusualText }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('bytes' as const),
      at: fc.nat(2000),
      bytes: fc.array(fc.nat(255), { maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('form' as const),
      form: fc.constantFrom('yaml' as const, 'protobuf' as const, 'list' as const),
    }),
  },
)

function encodeSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
}

/** The request with all mutations done one after another; none changes its argument. */
export function mutated(request: FuzzRequest, mutations: readonly Mutation[]): FuzzRequest {
  return mutations.reduce(mutate, request)
}

function mutate(request: FuzzRequest, change: Mutation): FuzzRequest {
  switch (change.on) {
    case 'method':
      return { ...request, method: change.method }
    case 'segment':
      return { ...request, target: withSegment(request.target, change.at, change.text) }
    case 'parameter': {
      const value = encodeSegment(change.value)
      return {
        ...request,
        target: `${request.target}${request.target.includes('?') ? '&' : '?'}${change.name}=${value}`,
      }
    }
    case 'header':
      return { ...request, headers: { ...request.headers, [change.name]: change.value } }
    case 'member':
      return withJson(request, (document) =>
        changedAt(document, change.at, (holder, key) => setOrDelete(holder, key, change.value)),
      )
    case 'name':
      return withJson(request, (document) =>
        changedAt(document, change.at, (holder, key) => rename(holder, key, change.name)),
      )
    case 'bytes':
      return { ...request, body: spliced(request.body, change.at, change.bytes) }
    case 'form':
      return inForm(request, change.form)
  }
}

function withSegment(target: string, at: number, text: string): string {
  const [path = '', ...query] = target.split('?')
  const segments = path.split('/')
  segments[1 + (at % segments.length)] = text
  return [segments.map((segment) => segment ?? '').join('/'), ...query].join('?')
}

/** Large and deep documents are mutated in their bytes alone: walking through them would take the fuzzer's time, or its stack. */
const LARGE_BYTES = 10_000

function parsed(body: Uint8Array | undefined): Json | undefined {
  if (body === undefined || body.length > LARGE_BYTES) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Json
  } catch {
    return undefined
  }
}

const bytesOf = (value: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

function withJson(request: FuzzRequest, change: (document: Json) => Json): FuzzRequest {
  const document = parsed(request.body)
  return document === undefined ? request : { ...request, body: bytesOf(change(document)) }
}

type Holder = Record<string, Json>

/** Changes one member somewhere in the document, counted in the order of a walk through it. */
function changedAt(
  document: Json,
  at: number,
  change: (holder: Holder, key: string) => void,
): Json {
  const copy = structuredClone(document)
  const places: [Holder, string][] = []
  const walk = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push([value as Holder, key])
      walk((value as Holder)[key] as Json)
    }
  }
  walk(copy)
  const place = places[at % Math.max(1, places.length)]
  if (place === undefined) return copy
  change(place[0], place[1])
  return copy
}

function setOrDelete(holder: Holder, key: string, value: Json | undefined): void {
  if (value !== undefined) holder[key] = value
  else if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

function rename(holder: Holder, key: string, name: string): void {
  if (Array.isArray(holder)) return
  const value = holder[key] as Json
  delete holder[key]
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function spliced(body: Uint8Array | undefined, at: number, bytes: number[]): Uint8Array {
  const whole = body ?? new Uint8Array()
  const place = whole.length === 0 ? 0 : at % whole.length
  return Buffer.concat([
    whole.subarray(0, place),
    Uint8Array.from(bytes),
    whole.subarray(place + bytes.length),
  ])
}

const CONTENT_TYPE = {
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
} as const

function inForm(request: FuzzRequest, form: 'yaml' | 'protobuf' | 'list'): FuzzRequest {
  const document = parsed(request.body)
  if (!isJsonObject(document)) return request
  if (form === 'list') return { ...request, body: bytesOf([document]) }
  const body = form === 'yaml' ? new TextEncoder().encode(toYaml(document)) : protobufOf(document)
  if (body === undefined) return request
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'content-type'),
  )
  return { ...request, body, headers: { ...headers, 'content-type': CONTENT_TYPE[form] } }
}

/** Not every document has a form in Protobuf. */
function protobufOf(document: JsonObject): Uint8Array | undefined {
  try {
    return encodeProtobuf(document)
  } catch {
    return undefined
  }
}
