/** Configuration files, decoded strictly. Texts recorded from kube-apiserver 1.31. */
import { isJsonObject, type JsonObject } from '../core/object'
import { DecodeError, decodeObject } from './decode'
import { ENVELOPE, jsonTypeName } from './envelope'
import { goQuote } from './go-text'
import type { Field, StructType, TypeNode } from './model'
import { INTERNAL } from './registered-kinds'
import { readYaml, YamlSyntaxError } from './yaml/reader'

export class ConfigurationError extends Error {}

/** Without a version, kube-apiserver assumes the internal one, which no file has. */
export class UnversionedConfiguration extends ConfigurationError {}

export const TEXT: TypeNode = { type: 'scalar', format: 'string', goType: 'string' }
export const FLAG: TypeNode = { type: 'scalar', format: 'boolean', goType: 'bool' }

/** @param pointers members that distinguish empty from absent */
export function struct(
  goType: string,
  members: Record<string, TypeNode>,
  pointers: readonly string[] = [],
): StructType {
  const fields = Object.entries(members).map(([name, type], index): Field => {
    const pointer = type.type === 'struct' || pointers.includes(name)
    return { name, index, type, required: false, whenEmpty: 'omit', pointer }
  })
  const byName = new Map(fields.map((field) => [field.name, field]))
  return {
    type: 'struct',
    name: '',
    goType,
    fields,
    byName,
    alwaysWritten: [],
    quantities: [],
    atomic: false,
  }
}

export const list = (goType: string, items: TypeNode): TypeNode => ({
  type: 'list',
  goType,
  items,
  listType: 'atomic',
  mapKeys: [],
})

export interface ConfigurationKind {
  group: string
  kind: string
  versions: readonly string[]
  /** The file may omit its kind. */
  isAssumed?: boolean
  typeOf(version: string): StructType
}

/**
 * @param tolerate receives unknown and repeated members, which are errors if it is absent
 * @throws ConfigurationError
 */
export function readConfiguration(
  text: string,
  { group, kind: wanted, versions, isAssumed = false, typeOf }: ConfigurationKind,
  tolerate?: (problems: readonly string[]) => void,
): JsonObject {
  const { document, duplicates } = readDocument(text)
  const { apiVersion = '', kind = isAssumed ? wanted : '' } = document
  if (isAssumed && apiVersion === '')
    throw new UnversionedConfiguration(`${group}/${INTERNAL}, Kind=${kind}`)
  if (kind === '') throw new ConfigurationError(`Object 'Kind' is missing in '${text}'`)
  if (apiVersion === '') throw new ConfigurationError(`Object 'apiVersion' is missing in '${text}'`)
  const version = versions.find((one) => apiVersion === `${group}/${one}`)
  if (version === undefined || kind !== wanted) {
    const unknown = `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))}`
    throw new ConfigurationError(`${unknown} in scheme "pkg/runtime/scheme.go:100"`)
  }
  try {
    const { object, problems } = decodeObject(typeOf(version), document, { duplicates })
    if (problems.length > 0 && tolerate === undefined)
      throw new ConfigurationError(`strict decoding error: ${problems.join(', ')}`)
    if (problems.length > 0) tolerate?.(problems)
    return object as unknown as JsonObject
  } catch (error) {
    if (error instanceof DecodeError) throw new ConfigurationError(error.message)
    throw error
  }
}

function readDocument(text: string): { document: JsonObject; duplicates: string[] } {
  try {
    const { value, duplicates } = readYaml(text)
    if (isJsonObject(value)) return { document: value, duplicates }
    if (value === null) return { document: {}, duplicates }
    const mismatch = `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${ENVELOPE}`
    throw new ConfigurationError(`couldn't get version/kind; json parse error: ${mismatch}`)
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new ConfigurationError(error.message)
    throw error
  }
}
