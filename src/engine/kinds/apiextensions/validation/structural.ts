/**
 * kubernetes.io, "Specifying a structural schema". Texts recorded from kube-apiserver 1.31
 * (`crd-def-structural`, `crd-def-extensions`), others from k8s.io/apiextensions-apiserver,
 * pkg/apiserver/schema/validation.go.
 */

import { append } from '../../../core/lists'
import { entryOf, equalJson, isJsonObject, type Json, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { readPattern } from '../../../schema/patterns/pattern-cache'
import { PatternError } from '../../../schema/patterns/pattern-node'
import { forbiddenField, invalidValue, required } from '../../../validation/field-errors'

/** These prevent the conversion to a structural schema, in order of detection. */
const INCONVERTIBLE = [
  'id',
  '$schema',
  '$ref',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
]

/** Combinations may spell int-or-string this way. */
const INTEGER_OR_STRING = [{ type: 'integer' }, { type: 'string' }]

export function hasDefaults(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false
  const { items, additionalProperties } = schema
  if (schema.default !== undefined || hasDefaults(items) || hasDefaults(additionalProperties))
    return true
  return membersOf(schema).some(([, member]) => hasDefaults(member))
}

/** @returns the first inconvertible keyword */
export function inconvertibleWord(schema: JsonObject): string | undefined {
  const own =
    INCONVERTIBLE.find((word) => schema[word] !== undefined && schema[word] !== '') ??
    (Array.isArray(schema.items) ? 'items' : undefined)
  if (own !== undefined) return own
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return 'x-kubernetes-preserve-unknown-fields'
  const { properties, additionalProperties, items, not } = schema
  const inner: (Json | undefined)[] = [
    items,
    additionalProperties,
    not,
    ...(isJsonObject(properties) ? Object.values(properties) : []),
  ]
  for (const word of COMBINATIONS) append(inner, listIn(schema, word))
  for (const part of inner) {
    const found = isJsonObject(part) ? inconvertibleWord(part) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

export function inconvertibleError(word: string, path: string): FieldError {
  return invalidValue(
    path,
    '',
    entryOf(WHY_INCONVERTIBLE, word) ?? `OpenAPIV3Schema '${word}' is not supported`,
  )
}

const WHY_INCONVERTIBLE: Record<string, string> = {
  $schema: "OpenAPIV3Schema 'schema' is not supported",
  items: "OpenAPIV3Schema 'items' must be a schema, but is an array",
  'x-kubernetes-preserve-unknown-fields':
    "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
}

/** Sorted by text. */
export function structuralErrors(schema: JsonObject, path: string): FieldError[] {
  const errors = [
    ...placeErrors(schema, path, 'root'),
    ...missingMembers(schema, schema, path, path),
  ]
  const textOf = ({ field, detail }: FieldError) => `${field}: ${detail}`
  return errors.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

type Place = 'root' | 'field' | 'item'

function placeErrors(schema: JsonObject, path: string, place: Place): FieldError[] {
  const { items, additionalProperties } = schema
  const within = (part: Json | undefined, member: string, where: Place) =>
    isJsonObject(part) ? placeErrors(part, `${path}.${member}`, where) : []
  return [
    ...(schema.type === 'array' && items === undefined
      ? [required(`${path}.items`, 'must be specified')]
      : []),
    ...within(items, 'items', 'item'),
    ...membersOf(schema).flatMap(([name, part]) => within(part, `properties[${name}]`, 'field')),
    ...(additionalProperties !== undefined && place === 'root'
      ? [forbiddenField(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...within(additionalProperties, 'additionalProperties', 'field'),
    ...intOrStringErrors(schema, path),
    ...combinationErrors(schema, path, true),
    ...typeErrors(schema, path, place),
    ...embeddedErrors(schema, path),
    ...metaErrors(schema, path, place),
  ]
}

function intOrStringErrors(schema: JsonObject, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((word) => schema[word] === true)
    .map((word) =>
      invalidValue(`${path}.${word}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    )
}

const NAMELESS: Record<Place, string> = {
  root: 'at the root',
  item: 'for specified array items',
  field: 'for specified object fields',
}

function typeErrors(schema: JsonObject, path: string, place: Place): FieldError[] {
  const { type = '' } = schema
  const at = `${path}.type`
  const errors: FieldError[] = []
  if (isEmbedded(schema) && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? required(at, why) : invalidValue(at, type, why))
  } else if (
    type === '' &&
    schema['x-kubernetes-int-or-string'] !== true &&
    !preservesUnknown(schema)
  ) {
    errors.push(required(at, `must not be empty ${NAMELESS[place]}`))
  }
  if (place === 'root' && type !== '' && type !== 'object')
    errors.push(invalidValue(at, type, 'must be object at the root'))
  return errors
}

function embeddedErrors(schema: JsonObject, path: string): FieldError[] {
  if (!isEmbedded(schema)) return []
  const errors: FieldError[] = []
  if (schema.additionalProperties !== undefined) {
    errors.push(
      forbiddenField(
        `${path}.additionalProperties`,
        'must not be used if x-kubernetes-embedded-resource is set',
      ),
    )
  }
  if (!preservesUnknown(schema) && membersOf(schema).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(required(`${path}.properties`, why))
  }
  return errors
}

/** They may have only a type; the root may restrict names. */
function metaErrors(schema: JsonObject, path: string, place: Place): FieldError[] {
  if (place !== 'root' && !isEmbedded(schema)) return []
  const members = Object.fromEntries(membersOf(schema))
  const errors: FieldError[] = []
  for (const name of ['kind', 'apiVersion']) {
    const { [name]: member } = members
    if (member !== undefined && member.type !== 'string') {
      errors.push(
        invalidValue(`${path}.properties[${name}].type`, member.type ?? '', 'must be string'),
      )
    }
  }
  const { metadata } = members
  if (metadata === undefined) return errors
  const own = `${path}.properties[metadata]`
  if (metadata.type !== 'object')
    errors.push(invalidValue(`${own}.type`, metadata.type ?? '', 'must be object'))
  if (place === 'root' && specifiesMore(metadata)) {
    const why =
      'must not specify anything other than name and generateName, but metadata is implicitly specified'
    errors.push(forbiddenField(own, why))
  }
  return errors
}

function specifiesMore({
  type: _type,
  default: _default,
  properties,
  ...others
}: JsonObject): boolean {
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return (
    names.some((name) => name !== 'name' && name !== 'generateName') ||
    Object.values(others).some((value) => !isEmpty(value))
  )
}

export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** @param outermost false inside another combination */
function combinationErrors(schema: JsonObject, path: string, outermost: boolean): FieldError[] {
  const errors = COMBINATIONS.flatMap((word) => {
    const parts = listIn(schema, word)
    if (outermost && word === 'anyOf' && equalJson(parts, INTEGER_OR_STRING)) return []
    return parts.flatMap((part, index) => {
      const spelled =
        outermost && word === 'allOf' && index === 0 && equalJson(part.anyOf, INTEGER_OR_STRING)
      return valueRuleErrors(spelled ? { ...part, anyOf: [] } : part, `${path}.${word}[${index}]`)
    })
  })
  if (isJsonObject(schema.not)) append(errors, valueRuleErrors(schema.not, `${path}.not`))
  const { pattern } = schema
  const read = typeof pattern === 'string' && pattern !== '' ? readPattern(pattern) : undefined
  if (read instanceof PatternError) {
    errors.push(
      invalidValue(
        `${path}.pattern`,
        pattern,
        `must be a valid regular expression, but isn't: ${read.message}`,
      ),
    )
  }
  return errors
}

/** Forbidden in combinations, with the required value. */
const NO_RULES: Record<string, string> = {
  type: 'empty',
  additionalProperties: 'undefined',
  default: 'undefined',
  title: 'empty',
  description: 'empty',
  nullable: 'false',
  'x-kubernetes-preserve-unknown-fields': 'false',
  'x-kubernetes-embedded-resource': 'false',
  'x-kubernetes-int-or-string': 'false',
  'x-kubernetes-list-map-keys': 'empty',
  'x-kubernetes-list-type': 'undefined',
  'x-kubernetes-map-type': 'undefined',
  'x-kubernetes-validations': 'empty',
}

function valueRuleErrors(schema: JsonObject, path: string): FieldError[] {
  const own = Object.entries(NO_RULES)
    .filter(
      ([word, none]) =>
        schema[word] !== undefined && !(none !== 'undefined' && isEmpty(schema[word])),
    )
    .map(([word, none]) => forbiddenField(`${path}.${word}`, `must be ${none} to be structural`))
  const members = membersOf(schema)
  if (members.some(([name]) => name === 'metadata')) {
    own.push(
      forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'),
    )
  }
  return [
    ...own,
    ...combinationErrors(schema, path, false),
    ...(isJsonObject(schema.items) ? valueRuleErrors(schema.items, `${path}.items`) : []),
    ...members.flatMap(([name, part]) => valueRuleErrors(part, `${path}.properties[${name}]`)),
  ]
}

/** Mentioned but unspecified fields, in outermost combinations only. */
function missingMembers(
  rules: JsonObject,
  schema: JsonObject | undefined,
  path: string,
  rulesPath: string,
): FieldError[] {
  const parts: [JsonObject, string][] = COMBINATIONS.flatMap((word) =>
    listIn(rules, word).map((part, index): [JsonObject, string] => [
      part,
      `${rulesPath}.${word}[${index}]`,
    ]),
  )
  if (isJsonObject(rules.not)) parts.unshift([rules.not, `${rulesPath}.not`])
  return parts.flatMap(([part, at]) => missingFor(part, schema, path, at))
}

function missingFor(
  rules: JsonObject,
  schema: JsonObject | undefined,
  path: string,
  rulesPath: string,
): FieldError[] {
  if (schema === undefined) return [required(path, `because it is defined in ${rulesPath}`)]
  const { items } = rules
  const own = schema.items
  const members = Object.fromEntries(membersOf(schema))
  return [
    ...missingMembers(rules, schema, path, rulesPath),
    ...(isJsonObject(items)
      ? missingFor(
          items,
          isJsonObject(own) ? own : undefined,
          `${path}.items`,
          `${rulesPath}.items`,
        )
      : []),
    ...membersOf(rules).flatMap(([name, part]) =>
      missingFor(
        part,
        members[name],
        `${path}.properties[${name}]`,
        `${rulesPath}.properties[${name}]`,
      ),
    ),
  ]
}

export const COMBINATIONS = ['allOf', 'oneOf', 'anyOf']

export function listIn(schema: JsonObject, word: string): JsonObject[] {
  const { [word]: list } = schema
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** By name. */
export function membersOf({ properties }: JsonObject): [name: string, schema: JsonObject][] {
  if (!isJsonObject(properties)) return []
  return Object.keys(properties)
    .sort()
    .flatMap((name): [string, JsonObject][] => {
      const { [name]: member } = properties
      return isJsonObject(member) ? [[name, member]] : []
    })
}

const isEmbedded = (schema: JsonObject): boolean =>
  schema['x-kubernetes-embedded-resource'] === true
const preservesUnknown = (schema: JsonObject): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true
