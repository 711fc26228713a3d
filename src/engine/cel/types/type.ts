import { entryOf } from '../../object'
/** Types of expressions, as the checker reckons with them. */

export type TypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'duration'
  | 'timestamp'
  | 'dyn'
  | 'any'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'object'
  | 'opaque'
  | 'parameter'

export interface Type {
  readonly kind: TypeKind
  readonly name: string
  /** Of a list its elements, of a map its keys and values, of an opaque type what it is made for. */
  readonly parameters: readonly Type[]
  /** Of an object. */
  readonly fields?: ReadonlyMap<string, Type>
}

const simple = (kind: TypeKind, name: string = kind): Type => ({ kind, name, parameters: [] })

export const BOOL = simple('bool')
export const INT = simple('int')
export const UINT = simple('uint')
export const DOUBLE = simple('double')
export const STRING = simple('string')
export const BYTES = simple('bytes')
export const NULL = simple('null', 'null_type')
export const DURATION = simple('duration', 'google.protobuf.Duration')
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp')
export const DYN = simple('dyn')
/** Of a value in an envelope: it stands for any type as `dyn` does, but is no list or map to go along. */
export const ANY = simple('any', 'google.protobuf.Any')
export const ERROR = simple('error', '!error!')
export const TYPE = simple('type')

export const listOf = (element: Type): Type => ({
  kind: 'list',
  name: 'list',
  parameters: [element],
})
export const mapOf = (key: Type, value: Type): Type => ({
  kind: 'map',
  name: 'map',
  parameters: [key, value],
})
export const typeOf = (type: Type): Type => ({ kind: 'type', name: 'type', parameters: [type] })
export const opaque = (name: string, ...parameters: Type[]): Type => ({
  kind: 'opaque',
  name,
  parameters,
})
export const optionalOf = (type: Type): Type => opaque('optional_type', type)
export const parameter = (name: string): Type => simple('parameter', name)
export const object = (name: string, fields: ReadonlyMap<string, Type>): Type => ({
  kind: 'object',
  name,
  parameters: [],
  fields,
})

/** An object whose fields are read when they are first asked for: types that are made of large or endless descriptions. */
export function lazyObject(name: string, read: () => ReadonlyMap<string, Type>): Type {
  let known: ReadonlyMap<string, Type> | undefined
  return {
    kind: 'object',
    name,
    parameters: [],
    get fields() {
      known ??= read()
      return known
    },
  }
}

export const isDynamic = (type: Type): boolean =>
  type.kind === 'dyn' || type.kind === 'any' || type.kind === 'error'
export const isOptional = (type: Type): boolean =>
  type.kind === 'opaque' && type.name === 'optional_type'
/** What is inside an optional type; the type itself if it is none. */
export const unwrapped = (type: Type): Type =>
  isOptional(type) ? (type.parameters[0] as Type) : type

export function sameType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((inner, index) => sameType(inner, b.parameters[index] as Type)))
  )
}

/** A type as messages write it: `list(int)`, `map(string, dyn)`. */
export function formatType(type: Type): string {
  const inner = () => type.parameters.map(formatType).join(', ')
  switch (type.kind) {
    case 'duration':
    case 'timestamp':
    case 'null':
    case 'any':
      return type.kind
    default:
      return type.parameters.length === 0 ? type.name : `${type.name}(${inner()})`
  }
}

const SIMPLE: Record<string, Type> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  null_type: NULL,
  duration: DURATION,
  timestamp: TIMESTAMP,
  dyn: DYN,
  type: TYPE,
}

/**
 * Reads a type as formatType writes it; a single capital letter is a parameter, the server's own types are objects without fields,
 * any other name an opaque type.
 */
export function readType(text: string): Type {
  const open = text.indexOf('(')
  const name = open < 0 ? text : text.slice(0, open)
  const inner = open < 0 ? [] : splitTypes(text.slice(open + 1, -1)).map(readType)
  if (name === 'list') return listOf(inner[0] ?? DYN)
  if (name === 'map') return mapOf(inner[0] ?? DYN, inner[1] ?? DYN)
  if (name === 'type' && inner[0] !== undefined) return typeOf(inner[0])
  if (/^[A-Z]$/.test(name)) return parameter(name)
  if (name.startsWith('kubernetes.')) return simple('object', name)
  return entryOf(SIMPLE, name) ?? opaque(name, ...inner)
}

/** Splits at the commas outside brackets. */
export function splitTypes(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  if (text.trim() !== '') parts.push(text.slice(start).trim())
  return parts
}
