/**
 * Reports the first type error and the problems of strict decoding (recordings `wire-bodies`,
 * `wire-fieldvalidation`).
 */
import {
  draftOfMetadata,
  draftOfPart,
  isJsonObject,
  type Json,
  type JsonObject,
  OWNERSHIP_ENTRIES,
  setMember,
} from '../core/object'
import { DecodeError, tooDeep, withFormatErrors } from './decode-error'
import { joinPath } from './decode-path'
import { isOmitted, zeroOf, zeroOfField, zeroStruct } from './empty'
import { recordExplicitEmpty } from './explicit-empties'
import { recordExplicitQuantities, recordExplicitQuantity } from './explicit-quantities'
import { FormatError } from './format-error'
import { goQuote } from './go-text'
import type { DocumentDetails } from './json-parser'
import type { AnyType, Field, ListType, MapType, StructType, TypeNode } from './model'
import { MOST_NESTED, nestsDeeper } from './nesting'
import { OrderedMembers } from './ordered-members'
import { ScalarDecoder } from './scalar-decoder'

/** Recording `wire-fieldvalidation`. */
export const MAX_PROBLEMS = 100

/**
 * @param path of the structure; errors start below it
 * @throws DecodeError
 */
export function decodeStruct(
  type: StructType,
  value: Json,
  path: string,
  quote = goQuote,
): { value: JsonObject; problems: string[] } {
  const decoder = new Decoder(undefined, true, 0, undefined, quote)
  decoder.enter(path)
  return { value: withFormatErrors(() => decoder.decode(type, value)), problems: decoder.problems }
}

export class Decoder extends ScalarDecoder {
  readonly problems: string[] = []

  constructor(
    details: DocumentDetails | undefined,
    private readonly reportsProblems = true,
    /** Nesting levels above this value. */
    private readonly levels = 0,
    /** Canonical parts are only copied. */
    private readonly canonical: ReadonlySet<Json> | undefined = undefined,
    private readonly quote: (path: string) => string = goQuote,
  ) {
    super(details)
  }

  decode(type: StructType, value: Json): JsonObject {
    const decoded = this.value(type, value, undefined, '')
    if (this.first !== undefined) throw this.first
    return (decoded ?? zeroStruct(type)) as JsonObject
  }

  enter(path: string): void {
    this.path.push(path)
  }

  /**
   * `holder` and `place` locate the number literal in the document.
   * @returns undefined for null and after an error
   */
  private value(
    type: TypeNode,
    value: Json,
    holder: JsonObject | Json[] | undefined,
    place: string | number,
  ): Json | undefined {
    if (this.canonical?.has(value) && type.type !== 'any') return this.copied(value)
    switch (type.type) {
      case 'scalar':
        return this.scalar(type, value, holder, place)
      case 'struct':
        if (value === null) return undefined
        return isJsonObject(value) ? this.struct(type, value) : this.fail(value, type)
      case 'map':
        if (value === null) return undefined
        return isJsonObject(value) ? this.map(type, value) : this.fail(value, type)
      case 'list':
        if (value === null) return undefined
        return Array.isArray(value) ? this.list(type, value) : this.fail(value, type)
      case 'any':
        return value === null ? undefined : this.any(type, value)
    }
  }

  /** As `draftOf`: everything but managedFields entries. */
  private copied(part: Json): Json {
    const [outer, inner, ...deeper] = this.path.map((step) =>
      typeof step === 'object' ? step.name : step,
    )
    if (outer !== 'metadata' || deeper.length > 0) return draftOfPart(part) as Json
    if (inner === undefined) return draftOfMetadata(part as object) as Json
    return inner === OWNERSHIP_ENTRIES ? part : (draftOfPart(part) as Json)
  }

  private struct(type: StructType, object: JsonObject): JsonObject {
    if (this.levels + this.path.length > MOST_NESTED) throw tooDeep()
    const outer = this.owner
    const members = new OrderedMembers()
    const empty: string[] = []
    const repeated = this.details?.repeated.get(object)
    if (repeated !== undefined) {
      for (const [field, value] of this.repeatedMembers(type, object, repeated))
        keep(members, empty, field, value)
    } else {
      for (const name in object) {
        const field = type.byName.get(name)
        if (field === undefined) this.unknown(name)
        else keep(members, empty, field, this.member(type, field, object[name] as Json, object))
      }
    }
    this.owner = outer
    for (const field of type.alwaysWritten)
      if (!members.has(field)) members.put(field, zeroOfField(field))
    const decoded = members.object()
    for (const name of empty) recordExplicitEmpty(decoded, name)
    for (const { name } of type.quantities) recordGivenText(decoded, name, object[name])
    return decoded
  }

  private member(
    type: StructType,
    field: Field,
    value: Json,
    object: JsonObject,
  ): Json | undefined {
    // Most members are valid scalars, which need no path.
    if (this.isPlain(field.type, value)) return value
    this.owner = type
    this.path.push(field)
    const decoded = this.value(field.type, value, object, field.name)
    this.path.pop()
    return decoded
  }

  /** Merges repeated structures and maps. */
  private repeatedMembers(
    type: StructType,
    object: JsonObject,
    members: [string, Json][],
  ): Map<Field, Json | undefined> {
    const values = new Map<Field, Json | undefined>()
    for (const [name, value] of members) {
      const field = type.byName.get(name)
      if (field === undefined) {
        this.unknown(name)
        continue
      }
      if (values.has(field)) this.problem('duplicate', name)
      const before = values.get(field)
      const decoded = this.member(type, field, value, object)
      if (decoded === undefined) {
        const replaces = field.pointer || field.type.type === 'list' || field.type.type === 'map'
        values.set(field, replaces ? undefined : before)
      } else
        values.set(
          field,
          isJsonObject(before) && isJsonObject(decoded) ? { ...before, ...decoded } : decoded,
        )
    }
    return values
  }

  private map(type: MapType, object: JsonObject): JsonObject {
    const repeated = this.details?.repeated.get(object)
    if (repeated !== undefined) {
      const seen = new Set<string>()
      for (const [key, value] of repeated) {
        seen.has(key) ? this.problem('duplicate', key) : seen.add(key)
        // Decodes a replaced value too, for its errors.
        if (type.values.type !== 'scalar' || this.isPlain(type.values, value)) continue
        this.path.push(key)
        this.value(type.values, value, object, key)
        this.path.pop()
      }
    }
    const decoded: JsonObject = {}
    let sorted = true
    let last: string | undefined
    for (const key in object) {
      let value: Json | undefined = object[key] as Json
      if (!this.isPlain(type.values, value)) {
        this.path.push(key)
        value = this.value(type.values, value, object, key)
        this.path.pop()
      }
      if (last !== undefined && key < last) sorted = false
      last = key
      setMember(decoded, key, value === undefined ? this.zeroInMap(type.values) : value)
    }
    const result = sorted ? decoded : inOrder(decoded)
    if (type.values.type === 'scalar' && type.values.format === 'quantity')
      recordExplicitQuantities(result, object)
    return result
  }

  /** A null in a map: bytes become `""` (recording `wire-bodies`). */
  private zeroInMap(type: TypeNode): Json {
    return type.type === 'scalar' && type.format === 'bytes' ? '' : zeroOf(type)
  }

  private list(type: ListType, list: Json[]): Json[] {
    const decoded: Json[] = []
    for (let i = 0; i < list.length; i++) {
      let item: Json | undefined = list[i] as Json
      if (!this.isPlain(type.items, item)) {
        this.path.push(i)
        item = this.value(type.items, item, list, i)
        this.path.pop()
      }
      decoded.push(item === undefined ? zeroOf(type.items) : item)
    }
    return decoded
  }

  /** Of arbitrary JSON decodes only schemas, without strictness. */
  protected any(type: AnyType, value: Json): Json | undefined {
    if (type.objects === undefined) {
      if (
        this.details !== undefined &&
        nestsDeeper(value, MOST_NESTED - this.levels - this.path.length)
      )
        throw tooDeep()
      return value
    }
    if (isJsonObject(value)) return this.nested(type.objects, value)
    if (type.alternative === 'boolean' && typeof value !== 'boolean')
      throw new FormatError('boolean or JSON schema expected')
    return type.alternative === 'schemas' ? this.schemas(type.objects, value) : value
  }

  private schemas(type: StructType, value: Json): Json | undefined {
    if (!Array.isArray(value) || value.length === 0) return undefined
    return value.map((item) =>
      isJsonObject(item)
        ? this.nested(type, item)
        : ((item === null ? undefined : this.fail(item, type)) ?? {}),
    )
  }

  /** Errors inside a structure with its own decoder have the path of the whole. */
  private nested(type: StructType, value: JsonObject): JsonObject {
    try {
      return new Decoder(this.details, false, this.levels + this.path.length).decode(type, value)
    } catch (error) {
      if (!(error instanceof DecodeError) || error.mismatch === undefined) throw error
      throw this.mismatch(error.mismatch.found, error.mismatch.goType)
    }
  }

  private unknown(name: string): void {
    this.problem('unknown', name)
  }

  private problem(what: 'unknown' | 'duplicate', name: string): void {
    if (!this.reportsProblems || this.problems.length >= MAX_PROBLEMS) return
    const text = `${what} field ${this.quote(joinPath([...this.path, name]))}`
    if (!this.problems.includes(text)) this.problems.push(text)
  }
}

function recordGivenText(decoded: JsonObject, name: string, written: Json | undefined): void {
  if (
    written === undefined ||
    written === null ||
    decoded[name] === undefined ||
    decoded[name] === written
  )
    return
  recordExplicitQuantity(decoded, name, String(written).trim())
}

function keep(
  members: OrderedMembers,
  empty: string[],
  field: Field,
  value: Json | undefined,
): void {
  if (value === undefined) return
  if (!isOmitted(field, value)) members.put(field, value)
  else if (Array.isArray(value) || field.type.type === 'map') empty.push(field.name)
}

function inOrder(map: JsonObject): JsonObject {
  const sorted: JsonObject = {}
  for (const key of Object.keys(map).sort()) setMember(sorted, key, map[key] as Json)
  return sorted
}
