/** kube-apiserver responds 500 to a misfitting body. Messages recorded from kube-apiserver 1.31. */

import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { badRequest, serverError } from '../http/status'
import { goFormat, goValue, usedAsFormat } from '../schema/go-text'
import type { ListType, ScalarFormat, ScalarType, StructType, TypeNode } from '../schema/model'
import { pathText } from './path-elements'
import { ItemError, itemElement, memberElement } from './typed-value'

export interface Kind {
  group: string
  version: string
  kind: string
}

/** @throws ApiError 400 for another kind or for managedFields */
export function checkKind(applied: JsonObject, expected: Kind): void {
  const apiVersion = textOf(applied.apiVersion)
  const kind = textOf(applied.kind)
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  if (shown !== `${expected.group}/${expected.version}` || kind !== expected.kind) {
    throw badRequest(
      `invalid object type: ${apiVersion.split('/').length > 2 ? '/, Kind=' : `${shown}, Kind=${kind}`}`,
    )
  }
  if (isJsonObject(applied.metadata) && isListOfEntries(applied.metadata.managedFields))
    throw badRequest('metadata.managedFields must be nil')
}

const ENTRY_TEXTS = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'subresource']

function isListOfEntries(value: Json | undefined): boolean {
  const isText = (member: Json | undefined): boolean =>
    member === undefined || member === null || typeof member === 'string'
  return (
    Array.isArray(value) &&
    value.every((entry) => isJsonObject(entry) && ENTRY_TEXTS.every((name) => isText(entry[name])))
  )
}

/** @throws ApiError 500 */
export function checkApplied(applied: JsonObject, expected: Kind, type: StructType): void {
  reject(
    applied,
    expected,
    problemsOf(applied, type),
    (object) => `failed to create typed patch object (${object})`,
  )
}

/**
 * @param tracked without managers, giving fields an owner fails first (recorded from kube-apiserver
 * 1.31)
 * @throws ApiError 500
 */
export function checkLive(live: JsonObject, kind: Kind, type: StructType, tracked: boolean): void {
  if (!mayMisfit(type)) return
  reject(live, kind, problemsOf(live, type, { duplicates: true }), (object) =>
    tracked
      ? `failed to create typed live object (${object})`
      : `failed to create manager for existing fields: failed to convert new object (${object}) to smd typed`,
  )
}

/** @param failed gets the object's name in errors */
function reject(
  object: JsonObject,
  kind: Kind,
  problems: string[],
  failed: (object: string) => string,
): void {
  if (problems.length === 0) return
  throw serverError(usedAsFormat(`${failed(objectText(object, kind))}: ${listed(problems)}`))
}

export function listed(problems: string[]): string {
  return problems.length === 1
    ? (problems[0] as string)
    : `errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`
}

/** Kinds with associative lists whose key is omitted when empty and has no default. */
const KEYS_MAY_LACK: ReadonlySet<string> = new Set([
  'FlowSchema',
  'PriorityLevelConfiguration',
  'ServiceAccount',
  'StorageVersion',
])

/** Other built-in objects fit once decoded. */
export function mayMisfit({ name, groupVersionKinds }: StructType): boolean {
  return name === '' || KEYS_MAY_LACK.has(groupVersionKinds?.[0]?.kind ?? '')
}

/** `default/web; apps/v1, Kind=Deployment` */
export function objectText(object: JsonObject, { group, version, kind }: Kind): string {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {}
  return `${textOf(metadata.namespace)}/${textOf(metadata.name)}; ${group}/${version}, Kind=${kind}`
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** @param allow `duplicates`: stored lists may repeat elements */
export function problemsOf(value: Json, type: TypeNode, allow = { duplicates: false }): string[] {
  const check = new Check(allow.duplicates)
  check.value(value, type)
  return check.problems
}

class Check {
  readonly problems: string[] = []
  private readonly path: string[] = []
  /** Enclosing objects that preserve unknown fields: for ownership, all below them does too. */
  private keeping = 0

  constructor(private readonly allowsDuplicates: boolean) {}

  value(value: Json, type: TypeNode | undefined): void {
    if (value === null || type === undefined || type.type === 'any') return
    if (type.type === 'scalar') {
      if (isUntypedScalar(type)) return
      const misfit = scalarMisfit(requiredFormat(type), value)
      if (misfit !== undefined) this.problem(misfit)
    } else if (type.type === 'list') {
      if (Array.isArray(value)) this.items(value, type)
      else this.problem(`expected list, got &{${goFormat(value)}}`)
    } else if (isJsonObject(value)) this.members(value, type)
    else this.problem(`expected map, got &{${goFormat(value)}}`)
  }

  private problem(what: string): void {
    this.problems.push(`${pathText(this.path)}: ${what}`)
  }

  /** Sorted; in kube-apiserver the order is random. */
  private members(object: JsonObject, type: Extract<TypeNode, { type: 'struct' | 'map' }>): void {
    const keeps = type.type === 'struct' && type.preserveUnknown === true
    if (keeps) this.keeping++
    this.membersOf(object, type)
    if (keeps) this.keeping--
  }

  private membersOf(object: JsonObject, type: Extract<TypeNode, { type: 'struct' | 'map' }>): void {
    for (const name of Object.keys(object).sort()) {
      this.path.push(memberElement(name))
      const known =
        type.type === 'struct'
          ? this.member(object[name] as Json, name, type)
          : this.entry(object[name] as Json, type)
      this.path.pop()
      if (!known) return
    }
  }

  private entry(value: Json, type: Extract<TypeNode, { type: 'map' }>): boolean {
    this.value(value, type.values)
    return true
  }

  private member(value: Json, name: string, type: StructType): boolean {
    const field = type.byName.get(name)
    if (field !== undefined) this.value(value, field.type)
    else if (type.additional !== undefined) this.value(value, type.additional)
    else if (this.keeping === 0 && !isNameless(type)) {
      this.problem('field not declared in schema')
      return false
    }
    return true
  }

  private items(items: Json[], list: ListType): void {
    const seen = new Set<string>()
    for (const [index, item] of items.entries()) {
      const element = list.listType === 'atomic' ? `i:${index}` : this.identity(list, item, index)
      if (element === undefined) return
      if (seen.has(element) && !this.allowsDuplicates)
        this.problem(`duplicate entries for key ${pathText([element])}`)
      if (list.listType !== 'atomic') seen.add(element)
      this.path.push(element)
      this.value(item, list.items)
      this.path.pop()
    }
  }

  private identity(list: ListType, item: Json, index: number): string | undefined {
    try {
      return itemElement(list, item)
    } catch (error) {
      if (!(error instanceof ItemError)) throw error
      this.problem(`element ${index}: ${error.message}`)
      return undefined
    }
  }
}

/** False for associative lists, which need the full check. */
export function surelyFits(value: Json, type: TypeNode | undefined): boolean {
  if (value === null || type === undefined || type.type === 'any') return true
  if (type.type === 'scalar') return scalarFits(requiredFormat(type), value)
  if (type.type === 'list')
    return (
      type.listType === 'atomic' &&
      Array.isArray(value) &&
      value.every((item) => surelyFits(item, type.items))
    )
  if (!isJsonObject(value)) return false
  for (const name in value) {
    const member = type.type === 'map' ? type.values : type.byName.get(name)?.type
    if (member === undefined || !surelyFits(value[name] as Json, member)) return false
  }
  return true
}

/** Formatted custom strings may be any scalar, except bytes. */
const requiredFormat = ({ format, textFormat }: ScalarType): ScalarFormat =>
  textFormat && textFormat !== 'byte' ? 'time' : format

function scalarFits(format: ScalarFormat, value: Json): boolean {
  switch (format) {
    case 'int32':
    case 'int64':
    case 'double':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'string':
    case 'bytes':
      return typeof value === 'string'
    case 'time':
    case 'microTime':
    case 'quantity':
    case 'intOrString':
      return typeof value !== 'object'
  }
}

/** Custom schemas without properties accept all members, which are then pruned. */
const isNameless = ({ name, fields, additional }: StructType): boolean =>
  name === '' && fields.length === 0 && additional === undefined

/** An apply accepts any int-or-string; decoding rejects invalid values later. */
const isUntypedScalar = ({ format }: ScalarType): boolean => format === 'intOrString'

function scalarMisfit(format: ScalarFormat, value: Json): string | undefined {
  if (scalarFits(format, value)) return undefined
  switch (format) {
    case 'int32':
    case 'int64':
    case 'double':
      return `expected numeric (int or float), got ${goTypeName(value)}`
    case 'boolean':
      return `expected boolean, got &{${goFormat(value)}}`
    case 'time':
    case 'microTime':
    case 'quantity':
      return `expected any scalar, got &{${goFormat(value)}}`
    default:
      return `expected string, got &value.valueUnstructured{Value:${goValue(value)}}`
  }
}

function goTypeName(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
