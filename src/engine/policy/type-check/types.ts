/** Types have names of kind and path: `Deployment1.spec.template`. Recording: cluster-policies. */

import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  lazyObject,
  listOf,
  mapOf,
  object,
  STRING,
  TIMESTAMP,
  type Type,
} from '../../cel/types/type'
import { entryOf } from '../../core/object'
import type { AnyType, ScalarFormat, StructType, TypeNode } from '../../schema/model'
import { escapeName } from '../../validation/custom-objects/property-names'

const SCALARS: Record<ScalarFormat, Type | undefined> = {
  string: STRING,
  int32: INT,
  int64: INT,
  double: DOUBLE,
  boolean: BOOL,
  bytes: BYTES,
  time: TIMESTAMP,
  microTime: TIMESTAMP,
  quantity: undefined,
  intOrString: DYN,
}

const TEXTS: Readonly<Record<string, Type>> = {
  byte: BYTES,
  date: TIMESTAMP,
  'date-time': TIMESTAMP,
  duration: DURATION,
}

/** Other JSON has no type. */
const OBJECTS = /\.(?:FieldsV1|RawExtension)$/

/** kube-apiserver generates a number for each check. */
const DRAWN = '1'

/** Omits values without a type, such as quantities, and members of nested recursive structures. */
export const typeOfKind = (type: StructType, kind: string): Type =>
  new Reader(undefined).struct(type, `${kind}${DRAWN}`, [])

/** For evaluation: values without a type are DYN. */
export const typeOf = (type: StructType): Type =>
  new Reader(DYN).struct(type, type.name.split('.').at(-1) || 'object', [])

class Reader {
  constructor(private readonly untyped: Type | undefined) {}

  struct(struct: StructType, name: string, inside: readonly StructType[]): Type {
    if (this.untyped === undefined && inside.includes(struct)) return object(name, new Map())
    if (this.untyped !== undefined && struct.preserveUnknown === true) return this.untyped
    return lazyObject(name, () => this.fields(struct, name, [...inside, struct]))
  }

  private fields(
    struct: StructType,
    name: string,
    inside: readonly StructType[],
  ): Map<string, Type> {
    const fields = new Map<string, Type>()
    for (const field of struct.fields) {
      const type = this.type(field.type, `${name}.${field.name}`, inside)
      const escaped = escapeName(field.name)
      if (type === undefined || escaped === undefined) continue
      fields.set(escaped, type)
      // Reserved words are valid in field selection.
      if (escaped === `__${field.name}__`) fields.set(field.name, type)
    }
    if (struct.resource === true)
      for (const [member, type] of RESOURCE_MEMBERS)
        if (!fields.has(member)) fields.set(member, type)
    return fields
  }

  private type(node: TypeNode, name: string, inside: readonly StructType[]): Type | undefined {
    switch (node.type) {
      case 'scalar':
        return entryOf(TEXTS, node.textFormat ?? '') ?? SCALARS[node.format] ?? this.untyped
      case 'list': {
        const items = this.type(node.items, `${name}.@idx`, inside)
        return items && listOf(items)
      }
      case 'map': {
        const values = this.type(node.values, `${name}.@elem`, inside)
        return values && mapOf(STRING, values)
      }
      case 'struct':
        return node.additional === undefined
          ? this.struct(node, name, inside)
          : this.map(node.additional, name, inside)
      default:
        return this.json(node, name)
    }
  }

  private map(values: TypeNode, name: string, inside: readonly StructType[]): Type | undefined {
    const type = this.type(values, `${name}.@elem`, inside)
    return type && mapOf(STRING, type)
  }

  private json(node: AnyType, name: string): Type | undefined {
    return this.untyped ?? (OBJECTS.test(node.name) ? object(name, new Map()) : undefined)
  }
}

/** Every object has these, even if a custom schema omits them. */
const RESOURCE_MEMBERS: readonly [string, Type][] = [
  ['kind', STRING],
  ['apiVersion', STRING],
  ['metadata', object('kubernetes.ObjectMeta', new Map([['name', STRING], ['generateName', STRING]]))],
] // biome-ignore format: one table
