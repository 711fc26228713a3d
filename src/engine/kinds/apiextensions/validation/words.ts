/**
 * Texts and order recorded from kube-apiserver 1.31 (`crd-def-schema-forbidden`,
 * `crd-def-extensions`), others from k8s.io/apiextensions-apiserver,
 * pkg/apis/apiextensions/validation.
 */

import { append } from '../../../core/lists'
import { isJsonObject, type Json, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { lazy } from '../../../schema/lazy'
import {
  forbiddenField,
  invalidPrinted,
  invalidValue,
  notSupported,
  required,
} from '../../../validation/field-errors'
import { printedList } from '../../../validation/go-literal'
import { writtenErrors } from '../rules/definition-errors'
import { COMBINATIONS, inconvertibleWord, listIn, membersOf } from './structural'

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const META = ['apiVersion', 'kind', 'metadata']

interface Surroundings {
  isRoot: boolean
  /** In apiVersion, kind or metadata. */
  inMeta: boolean
  /** The root has no inconvertible keyword. */
  isConvertible: boolean
  /** Why defaults are forbidden. */
  noDefault?: string
}

export interface WordError extends FieldError {
  /** The invalid part, unless it is `field`. */
  of?: string
}

export function wordErrors(schema: JsonObject, path: string): WordError[] {
  const isConvertible = inconvertibleWord(schema) === undefined
  return errorsOf(schema, path, { isRoot: true, inMeta: false, isConvertible })
}

function errorsOf(schema: JsonObject, path: string, around: Surroundings): WordError[] {
  return [
    ...unsupported(schema, path, around),
    ...errorsWithin(schema, path, { ...around, isRoot: false }, around.isRoot),
    ...extensionErrors(schema, path),
    ...keywordErrors(schema, path, around),
  ]
}

function keywordErrors(
  schema: JsonObject,
  path: string,
  { isConvertible }: Surroundings,
): FieldError[] {
  const rules = rulesOf(schema)
  if (rules.length === 0) return []
  // Inconvertible schemas resolve no paths.
  const seen = isConvertible || inconvertibleWord(schema) === undefined ? schema : undefined
  return rules.flatMap((rule, index) =>
    writtenErrors(rule, seen, `${path}.x-kubernetes-validations[${index}]`),
  )
}

const rulesOf = (schema: JsonObject) =>
  listIn(schema, 'x-kubernetes-validations') as unknown as Parameters<typeof writtenErrors>[0][]

function unsupported(
  schema: JsonObject,
  path: string,
  { inMeta, noDefault }: Surroundings,
): FieldError[] {
  const { type } = schema
  const errors: FieldError[] = []
  const reject = (word: string, why: string) => errors.push(forbiddenField(`${path}.${word}`, why))
  if (type !== undefined && type !== '' && !TYPES.includes(String(type)))
    errors.push(notSupported(`${path}.type`, type, TYPES))
  if (noDefault !== undefined && schema.default !== undefined)
    reject('default', `must not be set ${noDefault}`)
  for (const word of UNSUPPORTED)
    if (isGiven(schema, word)) reject(word, `${word} is not supported`)
  if (type === 'null') reject('type', 'type cannot be set to null, use nullable as an alternative')
  if (Array.isArray(schema.items)) reject('items', 'items must be a schema object and not an array')
  if (inMeta && schema['x-kubernetes-embedded-resource'] === true) {
    reject('x-kubernetes-embedded-resource', 'must not be used inside of resource meta')
  }
  if (schema.uniqueItems === true)
    reject(
      'uniqueItems',
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    )
  return errors
}

/** JSON Schema keywords. */
const UNSUPPORTED = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
]

function isGiven(schema: JsonObject, word: string): boolean {
  const { [word]: value } = schema
  if (value === undefined || value === null) return false
  if (word === 'id') return value !== ''
  return !(
    ['patternProperties', 'definitions'].includes(word) &&
    isJsonObject(value) &&
    Object.keys(value).length === 0
  )
}

/** In order of validation. */
function errorsWithin(
  schema: JsonObject,
  path: string,
  around: Surroundings,
  isRoot: boolean,
): WordError[] {
  const { additionalProperties: others, not, items } = schema
  const members = membersOf(schema)
  const errors: WordError[] = []
  if ((others === false || isJsonObject(others)) && members.length > 0) {
    errors.push(
      forbiddenField(
        `${path}.additionalProperties`,
        'additionalProperties and properties are mutual exclusive',
      ),
    )
  }
  const look = (part: Json | undefined, member: string, where = around) => {
    if (isJsonObject(part)) append(errors, errorsOf(part, `${path}.${member}`, where))
  }
  const why = 'inside additionalProperties applying to object metadata'
  look(others, 'additionalProperties', around.inMeta ? { ...around, noDefault: why } : around)
  for (const [name, member] of members)
    look(member, `properties[${name}]`, memberSurroundings(schema, name, around, isRoot))
  look(not, 'not')
  for (const word of COMBINATIONS)
    for (const [index, part] of listIn(schema, word).entries()) look(part, `${word}[${index}]`)
  look(items, 'items')
  return errors
}

function memberSurroundings(
  schema: JsonObject,
  name: string,
  around: Surroundings,
  isRoot: boolean,
): Surroundings {
  if (!META.includes(name) || !(isRoot || schema['x-kubernetes-embedded-resource'] === true))
    return around
  return { ...around, inMeta: true, ...(isRoot ? { noDefault: `in top-level ${name}` } : {}) }
}

function extensionErrors(schema: JsonObject, path: string): WordError[] {
  const errors: FieldError[] = []
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(
      invalidValue(
        `${path}.x-kubernetes-preserve-unknown-fields`,
        false,
        'must be true or undefined',
      ),
    )
  }
  return [
    ...errors,
    ...mapTypeErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...mergeKeyErrors(schema, path),
  ]
}

function mapTypeErrors(schema: JsonObject, path: string): FieldError[] {
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined) return []
  return [
    ...typeFor('object', 'x-kubernetes-map-type', schema, path),
    ...(mapType === 'atomic' || mapType === 'granular'
      ? []
      : [notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular'])]),
  ]
}

function typeFor(
  wanted: string,
  word: string,
  { type = '' }: JsonObject,
  path: string,
): FieldError[] {
  if (type === wanted) return []
  const why = `must be ${wanted} if ${word} is specified`
  return [type === '' ? required(`${path}.type`, why) : invalidValue(`${path}.type`, type, why)]
}

function listTypeErrors(schema: JsonObject, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const keys = keysOf(schema)
  const at = `${path}.x-kubernetes-list-type`
  const why = 'must be map if x-kubernetes-list-map-keys is non-empty'
  if (listType === undefined) return keys.length > 0 ? [required(at, why)] : []
  const wrongType = typeFor('array', 'x-kubernetes-list-type', schema, path)
  return [
    ...wrongType,
    ...(wrongType.length === 0 && listType === 'set' && isJsonObject(schema.items)
      ? setErrors(schema.items, `${path}.items`)
      : []),
    ...(['atomic', 'set', 'map'].includes(String(listType))
      ? []
      : [notSupported(at, listType, ['atomic', 'set', 'map'])]),
    ...(keys.length > 0 && listType !== 'map' ? [invalidValue(at, listType, why)] : []),
    ...(listType === 'map' ? mapErrors(schema, keys, path) : []),
  ]
}

const keysOf = (schema: JsonObject): string[] => {
  const keys = schema['x-kubernetes-list-map-keys']
  return Array.isArray(keys) ? (keys as string[]) : []
}

/** Set items are compared as a whole. For objects kube-apiserver prints the list type. */
function setErrors(items: JsonObject, path: string): FieldError[] {
  const atomic = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const listType = items['x-kubernetes-list-type']
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidValue(`${path}.x-kubernetes-list-type`, listType, atomic)]
  }
  if (items.type !== 'object' || items['x-kubernetes-map-type'] === 'atomic') return []
  return [invalidValue(`${path}.x-kubernetes-map-type`, listType, atomic)]
}

function mapErrors(schema: JsonObject, keys: string[], path: string): FieldError[] {
  const { items } = schema
  const at = `${path}.x-kubernetes-list-map-keys`
  const errors: FieldError[] = []
  if (keys.length === 0)
    errors.push(required(at, 'must not be empty if x-kubernetes-list-type is map'))
  if (items === undefined)
    errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'))
  if (!isJsonObject(items)) return errors
  if (items.type !== 'object') {
    return [
      ...errors,
      invalidValue(
        `${path}.items.type`,
        items.type ?? '',
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    ]
  }
  const members = new Map(membersOf(items))
  // All errors quote all keys: compute the text once.
  const value = lazy(() => printedList(keys))
  const wrong = (why: string): FieldError => invalidPrinted(at, value(), why)
  const seen = new Set<string>()
  for (const key of keys) {
    const member = members.get(key)
    if (member === undefined) errors.push(wrong('entries must all be names of item properties'))
    else if (member.type === 'array' || member.type === 'object') {
      // kube-apiserver prints the items' type.
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, items.type, why))
    }
    if (seen.has(key)) errors.push(wrong('must not contain duplicate entries'))
    seen.add(key)
  }
  return errors
}

/** Identity needs keys: required or defaulted, in items that are not nullable. */
function mergeKeyErrors(schema: JsonObject, path: string): WordError[] {
  return errorsOfItems(schema, path).map((error) => ({
    ...error,
    of: `${path}.x-kubernetes-list-type`,
  }))
}

function errorsOfItems(schema: JsonObject, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const { items } = schema
  if (!isJsonObject(items) || (listType !== 'set' && listType !== 'map')) return []
  const errors: FieldError[] = []
  if (items.nullable === true) {
    errors.push(
      forbiddenField(
        `${path}.items.nullable`,
        `cannot be nullable when x-kubernetes-list-type is ${listType}`,
      ),
    )
  }
  if (listType === 'set') return errors
  const members = new Map(membersOf(items))
  const needed = new Set(Array.isArray(items.required) ? items.required : [])
  for (const key of keysOf(schema)) {
    const member = members.get(key)
    if (member === undefined) continue
    const at = `${path}.items.properties[${key}]`
    const named = 'this property is in x-kubernetes-list-map-keys, so it'
    if (!needed.has(key) && member.default === undefined) {
      errors.push(
        required(`${at}.default`, `${named} must have a default or be a required property`),
      )
    }
    if (member.nullable === true)
      errors.push(forbiddenField(`${at}.nullable`, `${named} cannot be nullable`))
  }
  return errors
}
