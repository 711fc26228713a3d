/** Copies of an object that differ from it in one position each, by its type: a name put wherever a client can put one. */
import { isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import type { StructType, TypeNode } from '../../src/engine/schema/model'

export interface Variant {
  /** For example `spec.template.metadata.labels{}`. */
  position: string
  object: JsonObject
}

const DEPTH = 12

/** @returns the object with `name` as each string, as a key of each map, and as an unknown member of each structure. */
export function variantsOf(type: StructType, object: JsonObject, name: string): Variant[] {
  return inValue(type, object, name, '', 0).map(({ position, value }) => ({
    position,
    object: value as JsonObject,
  }))
}

/** The objects of `variantsOf` by name and index: each name's are built once, not for each position. */
export function variantLookup(
  type: StructType,
  object: JsonObject,
): (name: string, index: number) => JsonObject | undefined {
  const variants = new Map<string, Variant[]>()
  return (name, index) => {
    const built = variants.get(name) ?? variantsOf(type, object, name)
    variants.set(name, built)
    return built[index]?.object
  }
}

interface Changed {
  position: string
  value: Json
}

function inValue(
  type: TypeNode,
  value: Json | undefined,
  name: string,
  position: string,
  depth: number,
): Changed[] {
  if (depth > DEPTH) return []
  switch (type.type) {
    case 'struct': {
      const object = isJsonObject(value) ? value : {}
      const within = type.fields.flatMap((field) => {
        if (object[field.name] === undefined && field.type.type !== 'map') return []
        const inner = inValue(
          field.type,
          object[field.name],
          name,
          `${position}.${field.name}`,
          depth + 1,
        )
        return inner.map((change) => ({
          ...change,
          value: { ...object, [field.name]: change.value },
        }))
      })
      return [...within, { position: `${position}!`, value: withMember(object, name, 'x') }]
    }
    case 'list': {
      if (!Array.isArray(value)) return []
      return value.slice(0, 2).flatMap((item, index) =>
        inValue(type.items, item, name, `${position}[${index}]`, depth + 1).map((change) => ({
          ...change,
          value: value.map((other, at) => (at === index ? change.value : other)),
        })),
      )
    }
    case 'map': {
      const object = isJsonObject(value) ? value : {}
      const [sample] = Object.values(object)
      return [
        {
          position: `${position}{}`,
          value: withMember(object, name, sample ?? sampleOf(type.values)),
        },
        ...Object.keys(object)
          .slice(0, 1)
          .flatMap((key) =>
            inValue(type.values, object[key], name, `${position}{${key}}`, depth + 1).map(
              (change) => ({
                ...change,
                value: { ...object, [key]: change.value },
              }),
            ),
          ),
      ]
    }
    default:
      return typeof value === 'string' ? [{ position, value: name }] : []
  }
}

/** Sets an own property, also one named `__proto__`. */
function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  return Object.fromEntries([...Object.entries(object), [name, value]])
}

function sampleOf(type: TypeNode): Json {
  if (type.type === 'list') return ['x']
  if (type.type === 'struct') return {}
  return '1'
}
