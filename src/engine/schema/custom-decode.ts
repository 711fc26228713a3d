/**
 * Decoding of custom resources: metadata is typed, everything else is only pruned to what the schema names. Types are checked
 * later, by validation (recorded: crd-cr-shape, wire-fieldvalidation "custom-resources").
 */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../object'
import type { Decoded, DecodeOptions } from './decode'
import { DecodeError, decodeStruct } from './decoder'
import { copyNumbers, rememberNumbers } from './given-numbers'
import { goQuote, goValue } from './go-text'
import { setMember } from './json-parser'
import type { StructType, TypeNode } from './model'

/**
 * Decodes a custom resource into a draft of its own. Problems come in the real server's order: repeated fields, then unknown
 * fields of metadata, of the object, and of the metadata of embedded objects.
 * @throws DecodeError
 */
export function decodeCustomObject(type: StructType, value: Json, { duplicates = [], details, stored }: DecodeOptions): Decoded {
  checkNumbers(details)
  rememberNumbers(details)
  const document = isJsonObject(value) ? value : {}
  const given = document.metadata ?? null
  const { value: metadata, problems } = stored
    ? { value: readableMetadata(type, given, 'metadata'), problems: [] }
    : decodeMetadata(type, given, 'metadata')
  const pruner = new Pruner(stored === true)
  const object = pruner.root(type, document)
  if (document.metadata !== undefined) object.metadata = metadata
  return {
    object: object as unknown as KubeObject,
    problems: [...new Set([...duplicates, ...problems, ...pruner.unknownFields(), ...pruner.metadataProblems.sort()])],
  }
}

/** A value without the members that its type does not name. */
export function pruneCustomValue(type: TypeNode, value: Json): Json {
  return new Pruner(false).pruned(type, value)
}

/** Numbers beyond what a float can hold are no numbers. */
function checkNumbers(details: DecodeOptions['details']): void {
  for (const literals of details?.literals.values() ?? []) {
    for (const literal of literals.values()) {
      if (!Number.isFinite(Number(literal))) throw new DecodeError(`json: cannot unmarshal number ${literal} into Go value of type float64`)
    }
  }
}

/** Metadata as the type has it; without a time of creation there is no member for it. */
function decodeMetadata(type: StructType, value: Json, path: string): { value: JsonObject; problems: string[] } {
  const meta = type.byName.get('metadata')?.type
  if (meta?.type !== 'struct') return { value: isJsonObject(value) ? value : {}, problems: [] }
  const decoded = decodeStruct(meta, value, path)
  if (decoded.value.creationTimestamp === null) delete decoded.value.creationTimestamp
  return decoded
}

/**
 * Metadata that was stored while nothing was asked of it: without the members that cannot be read. What is no object stays what it is
 * (public sources of the release: coercion of object metadata).
 */
function readableMetadata(type: StructType, value: Json, path: string): Json {
  try {
    return decodeMetadata(type, value, path).value
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    if (!isJsonObject(value)) return value
    const members = Object.entries(value)
    if (members.length === 1) return {}
    return Object.assign({}, ...members.map(([name, member]) => readableMetadata(type, { [name]: member as Json }, path)))
  }
}

/** What belongs to every object of the API; the schema's word does not count for it. */
const RESOURCE_MEMBERS = ['apiVersion', 'kind', 'metadata']

class Pruner {
  private readonly unknown: string[] = []
  readonly metadataProblems: string[] = []

  /** @param lenient whether what cannot be read of embedded objects is left out, not refused */
  constructor(private readonly lenient: boolean) {}

  root(type: StructType, object: JsonObject): JsonObject {
    return this.struct(type, object, '')
  }

  pruned(type: TypeNode, value: Json): Json {
    return this.value(type, value, '')
  }

  unknownFields(): string[] {
    return this.unknown.sort().map((path) => `unknown field ${goQuote(path)}`)
  }

  private value(type: TypeNode, value: Json, path: string): Json {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return this.list(type, value, path)
    if (type.type === 'struct') return this.embedded(type, this.struct(type, value, path), path)
    if (type.type === 'map') return this.members(value, path, () => type.values)
    if (isKept(type)) return value
    return this.members(value, path, () => undefined)
  }

  private list(type: TypeNode, list: Json[], path: string): Json[] {
    if (isKept(type)) return list
    const items = type.type === 'list' ? type.items : NOTHING
    const pruned = list.map((item, index) => this.value(items, item, `${path}[${index}]`))
    copyNumbers(list, pruned)
    return pruned
  }

  private struct(type: StructType, object: JsonObject, path: string): JsonObject {
    return this.members(object, path, (name) => {
      if (type.resource === true && RESOURCE_MEMBERS.includes(name)) return KEPT
      return type.byName.get(name)?.type ?? type.additional ?? (type.preserveUnknown === true ? KEPT : undefined)
    })
  }

  /** A new object of those members that have a type. */
  private members(object: JsonObject, path: string, typeOf: (name: string) => TypeNode | undefined): JsonObject {
    const pruned: JsonObject = {}
    for (const name in object) {
      const place = path === '' ? name : `${path}.${name}`
      const type = typeOf(name)
      if (type === undefined) this.unknown.push(place)
      else setMember(pruned, name, this.value(type, object[name] as Json, place))
    }
    copyNumbers(object, pruned)
    return pruned
  }

  /** An object inside the object: its kind and version are strings, its metadata is typed. */
  private embedded(type: StructType, object: JsonObject, path: string): JsonObject {
    if (type.resource !== true) return object
    for (const name of ['apiVersion', 'kind']) {
      const value = object[name]
      if (value === undefined || typeof value === 'string') continue
      if (!this.lenient) throw invalid(`${path}.${name}`, value, 'must be a string')
      delete object[name]
    }
    const { metadata } = object
    if (metadata === undefined) return object
    if (this.lenient) {
      object.metadata = readableMetadata(type, metadata, `${path}.metadata`)
      return object
    }
    try {
      const decoded = decodeMetadata(type, metadata, `${path}.metadata`)
      this.metadataProblems.push(...decoded.problems)
      object.metadata = decoded.value
      return object
    } catch (error) {
      throw error instanceof DecodeError ? invalid(`${path}.metadata`, metadata, error.message) : error
    }
  }
}

/** Whether what the type does not describe stays. */
function isKept(type: TypeNode): boolean {
  return type.type === 'struct' ? type.preserveUnknown === true : type.type === 'any' && type.closed !== true
}

const KEPT: TypeNode = { type: 'any', name: '' }
const NOTHING: TypeNode = { type: 'any', name: '', closed: true }

function invalid(path: string, value: Json, why: string): DecodeError {
  return new DecodeError(`${path}: Invalid value: ${goValue(value)}: ${why}`)
}
