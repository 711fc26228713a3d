/**
 * Types of mutations: `Object{}`, `Object.spec{}`, `JSONPatch{}` (k8s.io/apiserver,
 * pkg/cel/mutation).
 */
import { entryOf } from '../../core/object'
import type { StructTypes } from '../environment'
import { DYN, object, STRING, type Type } from '../types/type'
import { equal } from '../values/equality'
import {
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  typeNameOf,
  type Value,
} from '../values/value'
import type { Library } from './library'

const OBJECT = 'Object'
const PATCH = 'JSONPatch'

export class ObjectValue extends OpaqueValue {
  readonly goType = '*dynamic.ObjectVal'

  constructor(
    readonly typeName: string,
    readonly fields: ReadonlyMap<string, Value>,
  ) {
    super()
  }

  override equals(other: Value): boolean {
    if (!(other instanceof ObjectValue) || other.typeName !== this.typeName) return false
    if (other.fields.size !== this.fields.size) return false
    return [...this.fields].every(([name, value]) => {
      const same = other.fields.get(name)
      return same !== undefined && equal(value, same)
    })
  }
}

export class PatchOperation extends OpaqueValue {
  readonly typeName = PATCH
  readonly goType = '*mutation.JSONPatchVal'

  constructor(
    readonly op: string,
    readonly path: string,
    readonly from: string,
    readonly value: Value | undefined,
  ) {
    super()
  }

  override equals(other: Value): boolean {
    if (!(other instanceof PatchOperation)) return false
    if (other.op !== this.op || other.path !== this.path || other.from !== this.from) return false
    return this.value === undefined || other.value === undefined
      ? this.value === other.value
      : equal(this.value, other.value)
  }
}

/** Without schema every name is a field. */
class AnyFields extends Map<string, Type> {
  override get(): Type {
    return DYN
  }
}

const ANY_FIELDS = new AnyFields()
const PATCH_TYPE = object(
  PATCH,
  new Map([
    ['op', STRING],
    ['from', STRING],
    ['path', STRING],
    ['value', DYN],
  ]),
)

const GO_TYPES: Readonly<Record<string, string>> = {
  bool: 'bool',
  bytes: '[]uint8',
  double: 'float64',
  int: 'int64',
  list: '[]ref.Val',
  map: 'map[ref.Val]ref.Val',
  null_type: 'structpb.NullValue',
  uint: 'uint64',
}

function patchOperation(fields: ReadonlyMap<string, Value>): Value {
  const texts = { op: '', path: '', from: '' }
  for (const name of ['op', 'path', 'from'] as const) {
    const value = fields.get(name)
    if (value === undefined) continue
    if (typeof value !== 'string') {
      const type = typeNameOf(value)
      return new EvaluationError(
        `unexpected type ${entryOf(GO_TYPES, type) ?? type} for JSONPatchType '${name}' field`,
      )
    }
    texts[name] = value
  }
  return new PatchOperation(texts.op, texts.path, texts.from, fields.get('value'))
}

export const PATCH_TYPES: StructTypes = {
  typeOf(name) {
    if (name === PATCH) return PATCH_TYPE
    return name === OBJECT || name.startsWith(`${OBJECT}.`) ? object(name, ANY_FIELDS) : undefined
  },
  make: (name, fields) => (name === PATCH ? patchOperation(fields) : new ObjectValue(name, fields)),
}

export const JSON_PATCH: Library = {
  functions: [
    {
      signature: 'jsonpatch.escapeKey(string) -> string',
      call: (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
    },
  ],
}

/** Types must be named by their path: the spec in `Object{spec: …}` is an `Object.spec`. */
export function typeNameProblems(value: Value, path: string = OBJECT): string[] {
  if (value instanceof ObjectValue) {
    const { typeName, fields } = value
    const own =
      typeName === path
        ? []
        : [
            `unexpected type name "${typeName}", expected "${path}", which matches field name path from root Object type`,
          ]
    return [
      ...own,
      ...[...fields].flatMap(([name, field]) => typeNameProblems(field, `${path}.${name}`)),
    ]
  }
  if (value instanceof ListValue) return [...value].flatMap((item) => typeNameProblems(item, path))
  if (value instanceof MapValue)
    return value.keys().flatMap((key) => typeNameProblems(value.find(key) ?? null, path))
  return []
}
