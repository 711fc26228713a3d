import { append } from '../../../core/lists'
import type { JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { goMemberName } from '../../../schema/go-names'
import { forbiddenField, invalidValue } from '../../../validation/field-errors'
import { invalidStructure } from '../../../validation/go-literal'
import { ruleErrors } from '../rules/definition-errors'
import { defaultErrors } from './default-values'
import { inconvertibleError, inconvertibleWord, isEmpty, structuralErrors } from './structural'
import { wordErrors } from './words'

/** @param hasStatus objects have a status subresource */
export function schemaErrors(
  schema: JsonObject,
  path: string,
  hasStatus: boolean,
  release?: string,
): FieldError[] {
  const word = inconvertibleWord(schema)
  const errors = hasStatus ? rootErrors(schema, path) : []
  if (schema.nullable === true)
    errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'))
  let structural = word === undefined ? structuralErrors(schema, path) : []
  // Only valid schemas have their defaults and rules validated.
  if (word === undefined && structural.length === 0)
    structural = defaultErrors(schema, path, release)
  const words = wordErrors(schema, path)
  append(errors, structural, words)
  if (word === undefined)
    return structural.length > 0
      ? errors
      : [...errors, ...ruleErrors(schema, path, 'new', words, release)]
  return errors.length > 0 ? errors : [inconvertibleError(word, path)]
}

/** With a status subresource; Go names. */
const AT_ROOT = [
  ...[
    'Description',
    'Type',
    'Format',
    'Title',
    'Maximum',
    'ExclusiveMaximum',
    'Minimum',
    'ExclusiveMinimum',
    'MaxLength',
    'MinLength',
  ],
  ...[
    'Pattern',
    'MaxItems',
    'MinItems',
    'UniqueItems',
    'MultipleOf',
    'Required',
    'Items',
    'Properties',
    'ExternalDocs',
    'Example',
  ],
  ...['XPreserveUnknownFields', 'XValidations'],
]

/**
 * `status` alone would lose rules of the root (k8s.io/apiextensions-apiserver,
 * pkg/apis/apiextensions/validation).
 */
function rootErrors(schema: JsonObject, path: string): FieldError[] {
  const { type } = schema
  if (type !== undefined && type !== '' && type !== 'object') {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [invalidValue(`${path}.type`, type, why)]
  }
  const other = Object.keys(schema).some(
    (word) => isSpecified(schema, word) && !AT_ROOT.includes(goMemberName(word)),
  )
  if (!other) return []
  const why = `only [${AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
  return [invalidStructure(path, SCHEMA, schema, why)]
}

/** If empty, these count as unset (kube-apiserver 1.31). */
const SILENT_IF_EMPTY = [
  'id',
  '$schema',
  'nullable',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
]

const isSpecified = (schema: JsonObject, word: string): boolean =>
  schema[word] !== undefined &&
  schema[word] !== null &&
  !(SILENT_IF_EMPTY.includes(word) && isEmpty(schema[word]))

const SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'
