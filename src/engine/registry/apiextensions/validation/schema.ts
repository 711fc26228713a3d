/** The schema of a version: all that can be wrong with it, in the order in which it is told. */

import type { FieldError } from '../../../http/status'
import { append } from '../../../lists'
import type { JsonObject } from '../../../object'
import { goMemberName } from '../../../schema/go-names'
import { forbiddenField, invalidValue } from '../../field-errors'
import { goLiteral, typeNamed } from '../../rules/go-literal'
import { goValue } from '../../rules/go-value'
import { ruleErrors } from '../rules/definition-errors'
import { defaultErrors } from './default-values'
import { inconvertibleError, inconvertibleWord, isEmpty, structuralErrors } from './structural'
import { wordErrors } from './words'

/** @param path of the schema in the definition @param hasStatus whether objects have a status subresource */
export function schemaErrors(schema: JsonObject, path: string, hasStatus: boolean): FieldError[] {
  const word = inconvertibleWord(schema)
  const errors = hasStatus ? rootErrors(schema, path) : []
  if (schema.nullable === true)
    errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'))
  let structural = word === undefined ? structuralErrors(schema, path) : []
  // Values are compared with a schema, and rules looked at, only once it is right itself.
  if (word === undefined && structural.length === 0) structural = defaultErrors(schema, path)
  const words = wordErrors(schema, path)
  append(errors, structural, words)
  if (word === undefined)
    return structural.length > 0 ? errors : [...errors, ...ruleErrors(schema, path, 'new', words)]
  return errors.length > 0 ? errors : [inconvertibleError(word, path)]
}

/** What a schema may say of a whole object whose status is written for itself, as the server names it. */
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

/** The status is then judged by its own part of the schema, so the rest must lose nothing by that (texts of the public sources). */
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
  const shown = goLiteral(goValue(typeNamed(SCHEMA), schema))
  const why = `only [${AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
  return [{ field: path, reason: 'FieldValueInvalid', detail: `Invalid value: ${shown}: ${why}` }]
}

/** Words whose empty value is the same as none. Any other counts as soon as it is given, be it with nothing in it (recorded). */
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
