/**
 * Validates the versions of a CustomResourceDefinition. Recorded from kube-apiserver 1.31
 * (`crd-def-invalid`).
 */

import { entryOf, hasMembers, isJsonObject, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { duplicate, invalidValue, required, tooMany } from '../../../validation/field-errors'
import type { DefinitionVersion } from '../definition'
import { inconvertibleError, inconvertibleWord } from './structural'

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string']
const COLUMN_FORMATS = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
]
const MAX_SELECTABLE_FIELDS = 8
const SIMPLE_PATH = /^(?:\.[^.[\]{}()\s'"*?@$]+(?:\[[^\]]*\])*)+$/

export function columnErrors(
  columns: NonNullable<DefinitionVersion['additionalPrinterColumns']>,
  path: string,
): FieldError[] {
  return columns.flatMap(
    ({ name = '', type = '', format = '', jsonPath = '' }, index): FieldError[] => {
      const own = `${path}[${index}]`
      const types = `must be one of ${COLUMN_TYPES.join(',')}`
      return [
        ...(name === '' ? [required(`${own}.name`)] : []),
        ...(type === ''
          ? [required(`${own}.type`, types)]
          : COLUMN_TYPES.includes(type)
            ? []
            : [invalidValue(`${own}.type`, type, types)]),
        ...(format !== '' && !COLUMN_FORMATS.includes(format)
          ? [invalidValue(`${own}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`)]
          : []),
        ...pathErrors(jsonPath, `${own}.JSONPath`),
      ]
    },
  )
}

const pathErrors = (jsonPath: string, path: string): FieldError[] => {
  if (jsonPath === '') return [required(path)]
  return jsonPath.startsWith('.')
    ? []
    : [invalidValue(path, jsonPath, 'must be a simple json path starting with .')]
}

type Scale = NonNullable<DefinitionVersion['subresources']>['scale']

export function scaleErrors(scale: Scale, path: string): FieldError[] {
  if (scale === undefined) return []
  const {
    specReplicasPath: spec = '',
    statusReplicasPath: status = '',
    labelSelectorPath: selector = '',
  } = scale
  return [
    ...placedErrors(
      spec,
      `${path}.specReplicasPath`,
      ['.spec.'],
      'should be a json path under .spec',
    ),
    ...placedErrors(
      status,
      `${path}.statusReplicasPath`,
      ['.status.'],
      'should be a json path under .status',
    ),
    ...(selector === ''
      ? []
      : placedErrors(
          selector,
          `${path}.labelSelectorPath`,
          ['.spec.', '.status.'],
          'should be a json path under either .spec or .status',
        )),
  ]
}

function placedErrors(value: string, path: string, places: string[], why: string): FieldError[] {
  const errors =
    value === '' ? [required(path)] : SIMPLE_PATH.test(value) ? [] : pathErrors(value, path)
  if (errors.length > 0) return errors
  return places.some((place) => value.startsWith(place)) ? [] : [invalidValue(path, value, why)]
}

/** @param withoutSchema error without a schema */
export function selectableErrors(
  fields: { jsonPath: string }[],
  schema: JsonObject | undefined,
  path: string,
  withoutSchema: string,
): FieldError[] {
  if (schema === undefined)
    return fields.length === 0
      ? []
      : [invalidValue(path, '', `selectableFields may only be set when ${withoutSchema}`)]
  const known = new Set<string>()
  // An inconvertible schema is reported here too: it resolves no fields.
  const word = fields.length === 0 ? undefined : inconvertibleWord(schema)
  const unreadable =
    word === undefined
      ? []
      : [inconvertibleError(word, `${path.replace(/[^.]*$/, '')}schema.openAPIV3Schema`)]
  const errors = fields.flatMap(({ jsonPath = '' }, index): FieldError[] => {
    const own = `${path}[${index}].jsonPath`
    if (jsonPath === '') return [required(own)]
    const found = selected(jsonPath, schema)
    if (typeof found === 'string')
      return [invalidValue(own, jsonPath, `is an invalid path: ${found}`)]
    const again = known.has(jsonPath)
    known.add(jsonPath)
    return [
      ...(/^\.metadata(\.|$)/.test(jsonPath)
        ? [invalidValue(own, jsonPath, 'must not point to fields in metadata')]
        : []),
      ...(SELECTABLE.includes(String(found.type))
        ? []
        : [invalidValue(own, jsonPath, NOT_SELECTABLE)]),
      ...(again ? [duplicate(own, jsonPath)] : []),
    ]
  })
  const many =
    known.size > MAX_SELECTABLE_FIELDS ? [tooMany(path, known.size, MAX_SELECTABLE_FIELDS)] : []
  return [...unreadable, ...errors, ...many]
}

const SELECTABLE = ['string', 'boolean', 'integer']
const NOT_SELECTABLE =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'

function selected(jsonPath: string, schema: JsonObject): JsonObject | string {
  const tokens = (jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? []).values()
  let found = schema
  for (const token of tokens) {
    if (token === '[') return 'array notation is not allowed'
    if (token !== '.') return `expected [ or . but got: ${token}`
    const member = tokens.next().value
    if (member === undefined) return 'unexpected end of JSON path'
    const { properties, additionalProperties } = found
    const isNamed = isJsonObject(properties) && hasMembers(properties)
    const next = !isNamed ? additionalProperties : entryOf(properties, member)
    if (typeof next !== 'boolean' && !isJsonObject(next)) return 'does not refer to a valid field'
    found = isJsonObject(next) ? next : {}
  }
  return found
}
