import { entryOf } from '../../core/object'

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
  /** Elements, keys and values, or parameters of an opaque type. */
  readonly parameters: readonly Type[]
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
/** Accepted like `dyn`, but not a list or a map. */
export const ANY = simple('any', 'google.protobuf.Any')
export const ERROR = simple('error', '!error!')
const TYPE = simple('type')

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

/** For large or recursive schemas. */
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

/** In messages: `list(int)`, `map(string, dyn)`. */
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

/** In cel-go: `google.protobuf.Duration`, `list(null_type)`. */
export const typeText = (type: Type): string =>
  type.parameters.length === 0
    ? type.name
    : `${type.name}(${type.parameters.map(typeText).join(', ')})`

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
 * The notation of `formatType`. A single capital letter is a parameter; kube-apiserver's types are
 * objects without fields, others opaque.
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

/** Only outside parentheses. */
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

export const isOpen = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'any'
