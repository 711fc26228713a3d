/**
 * Custom resources: metadata is typed, the rest only pruned; validation checks types later
 * (recordings `crd-cr-shape`, `wire-fieldvalidation`).
 */
import { append } from '../core/lists'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  mergedRecords,
  setMember,
} from '../core/object'
import { DecodeError } from './decode-error'
import type { Decoded, DecodeOptions } from './decode-options'
import { decodeStruct } from './decoder'
import { goValue } from './go-text'
import type { StructType, TypeNode } from './model'
import { copyNumberLiterals, recordNumberLiterals } from './number-literals'

/**
 * Order of problems, as in kube-apiserver: repeated fields, then unknown fields of metadata, of the
 * object, and of the metadata of embedded objects.
 * @throws DecodeError
 */
export function decodeCustomObject(
  type: StructType,
  value: Json,
  { duplicates = [], details, stored, applied }: DecodeOptions,
): Decoded {
  checkNumbers(details)
  recordNumberLiterals(details)
  const document = isJsonObject(value) ? value : {}
  const given = document.metadata ?? null
  const { value: metadata, problems } =
    stored || applied
      ? { value: readableMetadata(type, given, 'metadata'), problems: [] }
      : decodeMetadata(type, given, 'metadata')
  const pruner = new Pruner(stored === true ? 'readable' : 'read')
  const object = pruner.root(type, document)
  if (document.metadata !== undefined) object.metadata = metadata
  return {
    object: object as unknown as KubeObject,
    problems: [
      ...new Set([
        ...duplicates,
        ...problems,
        ...pruner.unknownFields(),
        ...pruner.metadataProblems.sort(),
      ]),
    ],
  }
}

/** kube-apiserver 1.31 quotes these paths without escapes. */
const quoted = (path: string): string => `"${path}"`

/** Does not change embedded API objects. */
export function pruneCustomValue(type: TypeNode, value: Json): Json {
  return new Pruner('left').pruned(type, value)
}

/** Decodes embedded API objects. @throws MisfitError */
export function readCustomValue(type: TypeNode, value: Json): Json {
  return new Pruner('read').pruned(type, value)
}

function checkNumbers(details: DecodeOptions['details']): void {
  for (const literals of details?.literals.values() ?? []) {
    for (const literal of literals.values()) {
      if (!Number.isFinite(Number(literal)))
        throw new DecodeError(
          `json: cannot unmarshal number ${literal} into Go value of type float64`,
        )
    }
  }
}

function decodeMetadata(
  type: StructType,
  value: Json,
  path: string,
): { value: JsonObject; problems: string[] } {
  const meta = type.byName.get('metadata')?.type
  if (meta?.type !== 'struct') return { value: isJsonObject(value) ? value : {}, problems: [] }
  const decoded = decodeStruct(meta, value, path, quoted)
  if (decoded.value.creationTimestamp === null) delete decoded.value.creationTimestamp
  return decoded
}

/**
 * Drops metadata that cannot be decoded, but keeps a value other than an object. See
 * k8s.io/apiextensions-apiserver, pkg/apiserver/schema/objectmeta.
 */
function readableMetadata(type: StructType, value: Json, path: string): Json {
  try {
    return decodeMetadata(type, value, path).value
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    if (!isJsonObject(value)) return value
    const members = Object.entries(value)
    if (members.length === 1) return {}
    const readable = (name: string, member: Json) =>
      readableMetadata(type, { [name]: member }, path) as JsonObject
    return mergedRecords(members.map(([name, member]) => readable(name, member as Json)))
  }
}

const RESOURCE_MEMBERS = ['apiVersion', 'kind', 'metadata']

interface Place {
  above: Place | undefined
  step: string | number
  /** A member without its own schema. */
  isKey?: boolean
}

/** `spec.items[0].name` */
function pathOf(place: Place | undefined): string {
  if (place === undefined) return ''
  const { above, step } = place
  if (typeof step === 'number') return `${pathOf(above)}[${step}]`
  return above === undefined ? step : `${pathOf(above)}.${step}`
}

/** As in errors: members without their own schema are keys, `spec.items[0][name]`. */
function fieldOf(place: Place | undefined): string {
  if (place === undefined) return ''
  const { above, step, isKey } = place
  if (typeof step === 'number' || isKey === true) return `${fieldOf(above)}[${step}]`
  return above === undefined ? step : `${fieldOf(above)}.${step}`
}

class Pruner {
  private readonly unknown: string[] = []
  readonly metadataProblems: string[] = []

  /** @param embedded `readable` drops invalid parts of embedded API objects, `left` keeps them */
  constructor(private readonly embedded: 'read' | 'readable' | 'left') {}

  root(type: StructType, object: JsonObject): JsonObject {
    return this.struct(type, object, undefined)
  }

  pruned(type: TypeNode, value: Json): Json {
    return this.value(type, value, undefined)
  }

  unknownFields(): string[] {
    return this.unknown.sort().map((path) => `unknown field ${quoted(path)}`)
  }

  private value(type: TypeNode, value: Json, place: Place | undefined): Json {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return this.list(type, value, place)
    if (type.type === 'struct') return this.resource(type, this.struct(type, value, place), place)
    if (type.type === 'map') return this.members(value, place, () => type.values, true)
    if (type.others?.object) return this.value(type.others.object, value, place)
    if (isKept(type)) return value
    return this.members(value, place, () => undefined)
  }

  private list(type: TypeNode, list: Json[], place: Place | undefined): Json[] {
    if (type.others?.list) return this.list(type.others.list, list, place)
    if (type.type !== 'list' && isKept(type)) return list
    const items = type.type === 'list' ? type.items : NOTHING
    const pruned = list.map((item, index) => this.value(items, item, { above: place, step: index }))
    copyNumberLiterals(list, pruned)
    return pruned
  }

  private struct(type: StructType, object: JsonObject, place: Place | undefined): JsonObject {
    const typeOf = (name: string) => {
      if (type.resource === true && RESOURCE_MEMBERS.includes(name)) return KEPT
      return (
        type.byName.get(name)?.type ??
        type.additional ??
        (type.preserveUnknown === true ? KEPT : undefined)
      )
    }
    return this.members(
      object,
      place,
      typeOf,
      type.additional !== undefined && type.fields.length === 0,
    )
  }

  private members(
    object: JsonObject,
    above: Place | undefined,
    typeOf: (name: string) => TypeNode | undefined,
    isKey = false,
  ): JsonObject {
    const pruned: JsonObject = {}
    for (const name in object) {
      const type = typeOf(name)
      const place: Place = { above, step: name, isKey }
      if (type === undefined) this.unknown.push(pathOf(place))
      else setMember(pruned, name, this.value(type, object[name] as Json, place))
    }
    copyNumberLiterals(object, pruned)
    return pruned
  }

  private resource(type: StructType, object: JsonObject, place: Place | undefined): JsonObject {
    if (type.resource !== true || this.embedded === 'left') return object
    const lenient = this.embedded === 'readable'
    const member = (name: string) => fieldOf({ above: place, step: name })
    for (const name of ['apiVersion', 'kind']) {
      const value = object[name]
      if (value === undefined || typeof value === 'string') continue
      if (!lenient) throw new MisfitError(member(name), value, 'must be a string')
      delete object[name]
    }
    const { metadata } = object
    if (metadata === undefined) return object
    if (lenient) {
      object.metadata = readableMetadata(type, metadata, pathOf({ above: place, step: 'metadata' }))
      return object
    }
    try {
      const decoded = decodeMetadata(type, metadata, pathOf({ above: place, step: 'metadata' }))
      append(this.metadataProblems, decoded.problems)
      object.metadata = decoded.value
      return object
    } catch (error) {
      throw error instanceof DecodeError
        ? new MisfitError(member('metadata'), metadata, error.message)
        : error
    }
  }
}

function isKept(type: TypeNode): boolean {
  if (type.type === 'struct') return type.preserveUnknown === true
  return (type.type === 'any' && type.closed !== true) || type.others?.keeps === true
}

const KEPT: TypeNode = { type: 'any', name: '' }
const NOTHING: TypeNode = { type: 'any', name: '', closed: true }

/** An embedded object that cannot be decoded. */
export class MisfitError extends DecodeError {
  constructor(
    readonly field: string,
    readonly value: Json,
    readonly why: string,
  ) {
    super(`${field}: Invalid value: ${value === null ? '"null"' : goValue(value)}: ${why}`)
  }
}
