/**
 * Patches other than apply. An invalid result is a 422 that shows the decoded value, without
 * `details.name`. Recorded from kube-apiserver 1.31.
 */
import { MEDIA_TYPE } from '../core/names'
import {
  apiVersionOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
  setMember,
} from '../core/object'
import { applyJsonPatch } from '../patch/json-patch'
import { placedLiterals } from '../patch/json-patch-literals'
import { readJsonPatch } from '../patch/json-patch-reader'
import { applyMergePatch } from '../patch/merge-patch'
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch'
import { strategicRemainder } from '../patch/strategic-remainder'
import { escapeHtml } from '../schema/canonical'
import { convertObject, DecodeError, decodeObject } from '../schema/decode'
import type { Decoded } from '../schema/decode-options'
import { ENVELOPE, jsonTypeName } from '../schema/envelope'
import { kindOfEveryRelease } from '../schema/every-release'
import { goFormat, goQuote } from '../schema/go-text'
import {
  type DocumentDetails,
  JsonSyntaxError,
  type ReadDocument,
  readJson,
} from '../schema/json-reader'
import type { StructType } from '../schema/model'
import { MOST_NESTED } from '../schema/nesting'
import { internalMisfit, unconvertible, unregistered } from '../schema/registered-kinds'
import {
  bodyText,
  completed,
  decodeInternal,
  type Expected,
  NO_TEXT,
  type Strictness,
} from './body'
import { type ApiError, badRequest, invalid, serverError } from './status'

type Level = Strictness['level']

export type PatchMediaType =
  | typeof MEDIA_TYPE.jsonPatch
  | typeof MEDIA_TYPE.mergePatch
  | typeof MEDIA_TYPE.strategicMergePatch

interface Patched {
  value: Json
  /** Of the patch itself. */
  problems: string[]
  details?: DocumentDetails
  /** Converted, not decoded from a JSON text. */
  converts?: boolean
  /** As errors quote it. */
  shown(): string
  decode(type: StructType, value: Json, details: DocumentDetails | undefined): Decoded
}

/**
 * @param before in the request's version; not changed
 * @returns a draft in the stored version
 * @throws ApiError 400 for a malformed patch, 422 for other errors
 */
export function patchedObject(
  before: KubeObject,
  mediaType: PatchMediaType,
  bytes: Uint8Array,
  expected: Expected,
  strictness: Strictness,
): KubeObject {
  const patched = applied(
    before as unknown as JsonObject,
    mediaType,
    bodyText(bytes),
    expected,
    strictness.level,
  )
  const { object, problems } = decodePatched(patched, expected)
  const why = expected.unreadable?.(object)
  // A converted result reports strict problems first.
  if (why !== undefined && !patched.converts) throw rejected(patched, why)
  report(patched, [...patched.problems, ...problems], strictness)
  if (why !== undefined) throw serverError(why)
  return completed(object, expected)
}

function applied(
  before: JsonObject,
  mediaType: PatchMediaType,
  text: string,
  { type, toHub }: Expected,
  level: Level,
): Patched {
  // Only the stored version is surely canonical.
  const madeOf = toHub === undefined ? before : undefined
  switch (mediaType) {
    case MEDIA_TYPE.jsonPatch:
      return jsonPatched(before, text, type, level, madeOf)
    case MEDIA_TYPE.mergePatch:
      return mergePatched(before, text, type, level, madeOf)
    case MEDIA_TYPE.strategicMergePatch:
      return strategicPatched(before, text, type, madeOf)
  }
}

function jsonPatched(
  before: JsonObject,
  text: string,
  type: StructType,
  level: Level,
  madeOf: JsonObject | undefined,
): Patched {
  const { value: patch, details } = read(text, (problem) =>
    level === 'Ignore' ? problem : `error decoding patch: ${problem}`,
  )
  const { operations, problems } = readJsonPatch(patch, level !== 'Ignore', details)
  const value = applyJsonPatch(before, operations, details)
  // These may move values to another type.
  const displaced = operations.some(({ op }) => op === 'copy' || op === 'move')
  const placed = details && placedLiterals(details, operations, value)
  return {
    value,
    problems,
    ...(placed && { details: placed }),
    shown: () => textOf(value, placed),
    decode: (structure, document, literals) =>
      decodeObject(structure, document, {
        details: literals,
        madeOf: structure === type && !displaced ? madeOf : undefined,
      }),
  }
}

const BAD_MERGE_PATCH = 'Invalid JSON Patch'

function mergePatched(
  before: JsonObject,
  text: string,
  type: StructType,
  level: Level,
  madeOf: JsonObject | undefined,
): Patched {
  const {
    value: patch,
    duplicates,
    details,
  } = read(text, (problem) =>
    level === 'Ignore' ? BAD_MERGE_PATCH : `error decoding patch: ${problem}`,
  )
  if (patch !== null && !isJsonObject(patch) && level !== 'Ignore') {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    )
  }
  if (typeof patch !== 'object' || patch === null) throw badRequest(BAD_MERGE_PATCH)
  const value = touchedSorted(before, applyMergePatch(before, patch))
  const placed = details && carried(details, patch, value)
  return {
    value,
    problems: duplicates,
    ...(placed && { details: placed }),
    shown: () => textOf(value, placed),
    decode: (structure, document, literals) =>
      decodeObject(structure, document, {
        details: literals,
        madeOf: structure === type ? madeOf : undefined,
      }),
  }
}

function strategicPatched(
  before: JsonObject,
  text: string,
  type: StructType,
  madeOf: JsonObject | undefined,
): Patched {
  const { value: patch, duplicates } = read(text, (problem) => problem)
  return {
    value: applyStrategicMergePatch(before, patch, type),
    problems: duplicates,
    converts: true,
    shown: () => goFormat(strategicRemainder(before, patch, type)),
    decode: (structure, document) =>
      convertObject(structure, document, { madeOf: structure === type ? madeOf : undefined }),
  }
}

function read(text: string, problem: (message: string) => string): ReadDocument {
  try {
    return readJson(text, MOST_NESTED)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(problem(error.message))
    throw error
  }
}

/** Moves number literals to the objects of the patched value. */
function carried(details: DocumentDetails, patch: Json, value: Json): DocumentDetails {
  const literals: DocumentDetails['literals'] = new Map()
  const visit = (from: Json | undefined, to: Json | undefined): void => {
    if (typeof from !== 'object' || from === null || typeof to !== 'object' || to === null) return
    const here = details.literals.get(from)
    if (here !== undefined) literals.set(to, here)
    for (const name in from) visit((from as JsonObject)[name], (to as JsonObject)[name])
  }
  visit(patch, value)
  return { repeated: new Map(), literals }
}

const INVALID_PATCH = { group: '', kind: '' }

function rejected(patched: Patched, why: string): ApiError {
  return invalid(INVALID_PATCH, '', [
    {
      field: 'patch',
      reason: 'FieldValueInvalid',
      detail: `Invalid value: ${goQuote(patched.shown())}: ${why}`,
    },
  ])
}

function report(patched: Patched, problems: string[], { level, warn }: Strictness): void {
  if (problems.length === 0 || level === 'Ignore') return
  if (level === 'Strict') throw rejected(patched, `strict decoding error: ${problems.join(', ')}`)
  for (const problem of problems) warn(problem)
}

function decodePatched(patched: Patched, expected: Expected): Decoded {
  const { value, details } = patched
  if (!isJsonObject(value)) {
    throw rejected(
      patched,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${ENVELOPE}`,
    )
  }
  for (const name of ['apiVersion', 'kind'] as const) {
    const given = value[name]
    if (given === undefined || given === null || typeof given === 'string' || patched.converts)
      continue
    throw rejected(
      patched,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(given)} into Go struct field .${name} of type string`,
    )
  }
  if (!patched.converts) checkVersionForm(patched, value)
  if (expected.custom) checkTypeMeta(patched, value)
  // Missing apiVersion: the internal version.
  if (!value.apiVersion && !expected.custom && !patched.converts) {
    const misfit = internalMisfit(
      typeof value.kind === 'string' ? value.kind : '',
      expected,
      expected.tables,
    )
    if (misfit !== undefined) throw rejected(patched, misfit)
    return decodeInternal(value)
  }
  const asExpected =
    value.kind === expected.kind &&
    value.apiVersion === apiVersionOf(expected.group, expected.version)
  // The kind of a JSON text is checked before decoding.
  const unknown =
    patched.converts || expected.custom || asExpected
      ? undefined
      : unregistered(kindIn(value, expected), expected, expected.tables)
  if (unknown !== undefined) throw rejected(patched, unknown)
  try {
    const decoded = patched.decode(typeOfPatched(value, expected), value, details)
    const misfit = expected.custom || asExpected ? undefined : kindProblem(value, expected)
    if (misfit !== undefined) throw rejected(patched, misfit)
    return decoded
  } catch (error) {
    if (error instanceof DecodeError) throw rejected(patched, error.message)
    throw error
  }
}

function checkVersionForm(patched: Patched, { apiVersion }: JsonObject): void {
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2)
    throw rejected(patched, `unexpected GroupVersion string: ${apiVersion}`)
}

/** Their values are checked later. @throws ApiError 422 */
function checkTypeMeta(patched: Patched, { kind, apiVersion }: JsonObject): void {
  checkVersionForm(patched, { apiVersion: apiVersion ?? null })
  if (!kind) throw rejected(patched, `Object 'Kind' is missing in '${patched.shown()}'`)
  if (apiVersion === null) throw rejected(patched, NO_TEXT)
}

/** A patch may change the kind, whose errors then come first. */
function typeOfPatched({ apiVersion, kind }: JsonObject, expected: Expected): StructType {
  const { group, version, type } = expected
  if (typeof kind !== 'string' || apiVersion !== apiVersionOf(group, version)) return type
  return kindOfEveryRelease({ group, version, kind }, expected.tables) ?? type
}

function kindIn({ apiVersion, kind }: { apiVersion?: Json; kind?: Json }, expected: Expected) {
  const { group, version } = parseApiVersion(String(apiVersion))
  return { group, version, kind: kind ? String(kind) : expected.kind }
}

/** Accepts other versions of the kind. */
function kindProblem({ apiVersion, kind }: JsonObject, expected: Expected): string | undefined {
  const found = kindIn({ apiVersion, kind }, expected)
  return unregistered(found, expected, expected.tables) ?? unconvertible(found, expected)
}

const textOf = (document: Json, details: DocumentDetails | undefined): string =>
  escapeHtml(details === undefined ? JSON.stringify(document) : textWith(details, document))

function textWith(details: DocumentDetails, value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const literals = details.literals.get(value)
  if (Array.isArray(value))
    return `[${value.map((item, index) => literals?.get(index) ?? textWith(details, item)).join(',')}]`
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${JSON.stringify(name)}:${literals?.get(name) ?? textWith(details, member as Json)}`,
  )
  return `{${members.join(',')}}`
}

/**
 * Sorts members as Go's maps do, where the patch changed or added them. A list that replaces an
 * object keeps its order, since nothing decodes it further.
 */
function touchedSorted(before: Json | undefined, patched: Json): Json {
  if (before === patched || typeof patched !== 'object' || patched === null) return patched
  const former = isJsonObject(before) ? before : undefined
  if (Array.isArray(patched))
    return former ? patched : patched.map((item) => touchedSorted(undefined, item))
  const sorted: JsonObject = {}
  for (const name of Object.keys(patched).sort())
    setMember(sorted, name, touchedSorted(former?.[name], patched[name] as Json))
  return sorted
}
