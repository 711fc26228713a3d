/** Does an applied body fit its type? The real server answers what does not with 500 and these words (recorded). */

import { badRequest, serverError } from '../http/status'
import { apiVersionOf, isJsonObject, type Json, type JsonObject } from '../object'
import type { ScalarFormat, StructType, TypeNode } from '../schema/model'
import { pathText } from './fields-v1'
import { ItemError, itemElement, memberElement, shapeOf } from './typed-value'

/** @throws ApiError 400 for another kind or for managedFields, 500 for what does not fit the type */
export function checkApplied(applied: JsonObject, expected: { group: string; version: string; kind: string }, type: StructType): void {
  const apiVersion = text(applied.apiVersion)
  const kind = text(applied.kind)
  if (apiVersion !== apiVersionOf(expected.group, expected.version) || kind !== expected.kind) {
    const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
    throw badRequest(`invalid object type: ${shown}, Kind=${kind}`)
  }
  const metadata = isJsonObject(applied.metadata) ? applied.metadata : {}
  if (Array.isArray(metadata.managedFields)) throw badRequest('metadata.managedFields must be nil')
  const problems: string[] = []
  check(applied, type, [], problems)
  if (problems.length === 0) return
  const where = `${text(metadata.namespace)}/${text(metadata.name)}; ${expected.group}/${expected.version}, Kind=${expected.kind}`
  const list = problems.length === 1 ? problems[0] : `errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`
  throw serverError(`failed to create typed patch object (${where}): ${list}`)
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function check(value: Json, type: TypeNode | undefined, path: readonly string[], problems: string[]): void {
  if (value === null || type === undefined || type.type === 'any') return
  const problem = (what: string) => problems.push(`${pathText(path)}: ${what}`)
  if (type.type === 'scalar') {
    const misfit = scalarMisfit(type.format, value)
    if (misfit) problem(misfit)
    return
  }
  if (type.type === 'list') {
    if (!Array.isArray(value)) problem(`expected list, got &{${goText(value)}}`)
    else checkItems(value, type, path, problems)
    return
  }
  if (!isJsonObject(value)) {
    problem(`expected map, got &{${goText(value)}}`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const below = [...path, memberElement(name)]
    if (type.type === 'map') check(member, type.values, below, problems)
    else checkMember(type, name, member, below, problems)
  }
}

function checkMember(type: StructType, name: string, member: Json, path: readonly string[], problems: string[]): void {
  const field = type.byName.get(name)
  if (field) check(member, field.type, path, problems)
  else if (type.additional) check(member, type.additional, path, problems)
  else if (!type.preserveUnknown) problems.push(`${pathText(path)}: field not declared in schema`)
}

function checkItems(items: Json[], type: Extract<TypeNode, { type: 'list' }>, path: readonly string[], problems: string[]): void {
  if (shapeOf(type, items).kind === 'leaf') {
    for (const [index, item] of items.entries()) check(item, type.items, [...path, `i:${index}`], problems)
    return
  }
  const seen = new Set<string>()
  items.forEach((item, index) => {
    try {
      const element = itemElement(type, item, index)
      if (seen.has(element)) problems.push(`${pathText(path)}: duplicate entries for key ${pathText([element])}`)
      seen.add(element)
      check(item, type.items, [...path, element], problems)
    } catch (error) {
      if (!(error instanceof ItemError)) throw error
      problems.push(`${pathText(path)}: ${error.message}`)
    }
  })
}

const NUMERIC = new Set<ScalarFormat>(['int32', 'int64', 'double'])
const TEXT = new Set<ScalarFormat>(['string', 'bytes', 'time', 'microTime'])

function scalarMisfit(format: ScalarFormat, value: Json): string | undefined {
  if (NUMERIC.has(format)) return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`
  if (format === 'boolean') return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`
  if (TEXT.has(format))
    return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
  return undefined
}

function goTypeName(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Go's `%v` */
function goText(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (typeof value === 'object') {
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goText(value[key] as Json)}`)
      .join(' ')}]`
  }
  return String(value)
}

/** Go's `%#v` */
function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)'
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (typeof value === 'object') {
    return `map[string]interface {}{${Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key] as Json)}`)
      .join(', ')}}`
  }
  return JSON.stringify(value)
}
