/**
 * Messages print kube-apiserver's *internal* types (`core.Toleration`), with other packages,
 * embedded structures and orders than the API. Recorded from kube-apiserver 1.31.
 */
import { entryOf, isJsonObject, type Json, type JsonObject } from '../core/object'
import { isExplicitEmpty } from '../schema/explicit-empties'
import { explicitQuantity } from '../schema/explicit-quantities'
import { goValue as untypedGoValue } from '../schema/go-text'
import type { Field, StructType, TypeNode } from '../schema/model'
import { type Embedded, internalMembers, type Member, membersOf } from './go-members'

/** `type` is `core.Container`, `[]string`, `*int64` …; undefined is nil. */
export type GoValue =
  | { kind: 'struct'; type: string; members: GoMember[] }
  | { kind: 'list'; type: string; items: GoValue[] | undefined }
  | { kind: 'map'; type: string; entries: [key: string, value: GoValue][] | undefined }
  | { kind: 'pointer'; type: string; target: GoValue | undefined }
  | {
      kind: 'string' | 'number' | 'boolean' | 'untyped'
      type: string
      value: string | number | boolean
      json?: Json
    }
  | { kind: 'quantity' | 'time'; type: string; text: string | undefined }

export interface GoMember {
  name: string
  value: GoValue
  /** Absent for internal types. */
  tag?: { name: string; omitEmpty: boolean }
  /** Its members belong to the outer structure. */
  embedded?: true
}

export type GoPackages = 'api' | 'internal'

export function goValue(
  type: TypeNode,
  value: Json | undefined,
  packages: GoPackages = 'internal',
): GoValue {
  return new Builder(packages).value(type, value, false, '')
}

class Builder {
  constructor(private readonly packages: GoPackages) {}

  value(type: TypeNode, value: Json | undefined, pointer: boolean, home: string): GoValue {
    if (pointer) {
      const target =
        value === undefined || value === null ? undefined : this.value(type, value, false, home)
      return { kind: 'pointer', type: `*${this.typeName(type, home)}`, target }
    }
    const name = this.typeName(type, home)
    switch (type.type) {
      case 'struct':
        return this.struct(type, isJsonObject(value) ? value : {}, name)
      case 'list':
        return {
          kind: 'list',
          type: name,
          items: Array.isArray(value)
            ? value.map((item) => this.value(type.items, item, false, home))
            : undefined,
        }
      case 'map': {
        if (!isJsonObject(value)) return { kind: 'map', type: name, entries: undefined }
        const keys = Object.keys(value).sort()
        const { values } = type
        const isAmount = values.type === 'scalar' && values.format === 'quantity'
        const given = (key: string) =>
          isAmount ? explicitQuantity(value as Record<string, string>, key) : value[key]
        return {
          kind: 'map',
          type: name,
          entries: keys.map((key) => [key, this.value(values, given(key), false, home)]),
        }
      }
      case 'scalar':
        if (type.format === 'intOrString') return intOrString(value)
        if (type.format === 'quantity')
          return {
            kind: 'quantity',
            type: name,
            text: value === undefined || value === null ? undefined : String(value),
          }
        if (type.format === 'time' || type.format === 'microTime')
          return { kind: 'time', type: name, text: typeof value === 'string' ? value : undefined }
        if (type.format === 'boolean') return { kind: 'boolean', type: name, value: value === true }
        if (type.format === 'int32' || type.format === 'int64' || type.format === 'double')
          return { kind: 'number', type: name, value: typeof value === 'number' ? value : 0 }
        return { kind: 'string', type: name, value: typeof value === 'string' ? value : '' }
      default:
        return {
          kind: 'untyped',
          type: name,
          value: value === null || value === undefined ? `${name}(nil)` : untypedGoValue(value),
          json: value ?? null,
        }
    }
  }

  private struct(type: StructType, value: JsonObject, name: string): GoValue {
    const home = packageOf(name)
    const members = this.packages === 'internal' ? internalMembers(type) : membersOf(type)
    const tagged = this.packages === 'api' || isOfMachinery(type.name)
    const built = this.members(members, value, home, tagged)
    const isInternalObject = !tagged && type.groupVersionKinds !== undefined
    return { kind: 'struct', type: name, members: isInternalObject ? withTypeMeta(built) : built }
  }

  private members(
    members: (Member | Embedded)[],
    value: JsonObject,
    home: string,
    tagged = false,
  ): GoMember[] {
    return members.map((member): GoMember => {
      if ('field' in member) {
        const { field, name } = member
        const given = this.value(field.type, givenMember(value, field), field.pointer, home)
        if (tagged) return { name, value: given, tag: tagOf(field) }
        return { name, value: given, ...(name === 'ObjectMeta' ? { embedded: true } : {}) }
      }
      const type = `${home}.${member.type}`
      if (member.pointerOf === undefined)
        return {
          name: member.name,
          value: { kind: 'struct', type, members: this.members(member.members, value, home) },
          embedded: true,
        }
      const held = value[member.pointerOf]
      const target: GoValue | undefined = isJsonObject(held)
        ? {
            kind: 'struct',
            type,
            members: this.members(member.members, { ...value, ...held }, home),
          }
        : undefined
      return { name: member.name, value: { kind: 'pointer', type: `*${type}`, target } }
    })
  }

  private typeName(type: TypeNode, home: string): string {
    if (type.type === 'struct') {
      const short = type.name.slice(type.name.lastIndexOf('.') + 1)
      return `${this.packageOfType(type.name)}.${short}`
    }
    const stated = type.goType ?? ''
    if (type.type === 'list')
      return isSlice(stated)
        ? `[]${this.typeName(type.items, home)}`
        : stated.replace(PACKAGE, `${home}.`)
    if (type.type === 'map')
      return stated.startsWith('map[') || stated === ''
        ? `map[string]${this.typeName(type.values, home)}`
        : stated.replace(PACKAGE, `${home}.`)
    if (type.type === 'scalar' && (type.format === 'time' || type.format === 'microTime'))
      return stated
    return this.packages === 'internal' && home !== ''
      ? stated.replace(PACKAGE, `${home}.`)
      : stated || 'string'
  }

  private packageOfType(name: string): string {
    const parts = name.split('.')
    const version = parts.at(-2) ?? ''
    if (this.packages === 'api' || isOfMachinery(name)) return version
    return parts.at(-3) ?? version
  }
}

/** The kind of an internal object is in an embedded structure of the API. */
function withTypeMeta(members: GoMember[]): GoMember[] {
  const own = members.filter(({ name }) => entryOf(KIND_TAGS, name) !== undefined)
  const tagged = own.map((member) => ({
    ...member,
    tag: { name: entryOf(KIND_TAGS, member.name) ?? '', omitEmpty: true },
  }))
  const meta: GoMember = {
    name: 'TypeMeta',
    value: { kind: 'struct', type: 'v1.TypeMeta', members: tagged },
    embedded: true,
  }
  return [meta, ...members.filter((member) => !own.includes(member))]
}

const KIND_TAGS: Readonly<Record<string, string>> = { Kind: 'kind', APIVersion: 'apiVersion' }

/** Types that internal types share with the API. */
const isOfMachinery = (name: string): boolean => name.startsWith('io.k8s.apimachinery.')

/** Go tag `omitzero` since Kubernetes 1.35. */
const tagOf = ({ name, type, whenEmpty }: Field) => ({
  name,
  omitEmpty: whenEmpty === 'omit' || (type.type === 'scalar' && type.format === 'time'),
})

const PACKAGE = /^v\d\w*\./
/** Some lists have a named type. */
const isSlice = (stated: string): boolean => stated === '' || stated.startsWith('[]')

const packageOf = (typeName: string): string => typeName.slice(0, typeName.indexOf('.'))

/** Explicitly empty lists and maps are not stored. */
function givenMember(value: JsonObject, { name, type }: Field): Json | undefined {
  const given = value[name]
  if (given !== undefined || !isExplicitEmpty(value, name)) return given
  return type.type === 'list' ? [] : type.type === 'map' ? {} : undefined
}

function intOrString(value: Json | undefined): GoValue {
  const text = typeof value === 'string'
  const number = (name: string, amount: number): GoMember => ({
    name,
    value: { kind: 'number', type: name === 'Type' ? 'intstr.Type' : 'int32', value: amount },
  })
  return {
    kind: 'struct',
    type: 'intstr.IntOrString',
    members: [
      number('Type', text ? 1 : 0),
      number('IntVal', typeof value === 'number' ? value : 0),
      { name: 'StrVal', value: { kind: 'string', type: 'string', value: text ? value : '' } },
    ],
  }
}
