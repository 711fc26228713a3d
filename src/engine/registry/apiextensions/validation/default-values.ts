/** Defaults in a schema: each is a value of its own schema, with nothing that would be dropped (recorded: crd-def-defaults). */
import type { FieldError } from '../../../http/status'
import { equalJson, isJsonObject, type JsonObject } from '../../../object'
import { typeOfCustomValue } from '../../../schema/custom'
import { MisfitError, pruneCustomValue } from '../../../schema/custom-decode'
import { goValue } from '../../../schema/go-text'
import { invalidValue } from '../../field-errors'
import { embeddedObjectErrors } from '../../rules/custom-objects/embedded'
import { schemaErrors } from '../../rules/custom-objects/schema'
import { SchemaRules } from '../rules/evaluate'
import { membersOf } from './structural'

const META = ['apiVersion', 'kind', 'metadata']

/** What is wrong with the defaults of a structural schema and of its parts. @param path of the schema in the definition */
export function defaultErrors(schema: JsonObject, path: string): FieldError[] {
  // The whole is an object of the API itself.
  return errorsWithin({ ...schema, 'x-kubernetes-embedded-resource': true }, path, false)
}

/** Defaults of members that have no names are not asked. @param inMeta whether it is part of what every object has */
function errorsWithin(schema: JsonObject, path: string, inMeta: boolean): FieldError[] {
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  const isMeta = inMeta && !embedded
  const { items } = schema
  return [
    ...ownErrors(schema, path, isMeta),
    ...(isJsonObject(items) ? errorsWithin(items, `${path}.items`, isMeta) : []),
    ...membersOf(schema).flatMap(([name, member]) =>
      errorsWithin(member, `${path}.properties[${name}]`, isMeta || (embedded && META.includes(name))),
    ),
  ]
}

function ownErrors(schema: JsonObject, path: string, isMeta: boolean): FieldError[] {
  const { default: value } = schema
  if (value === undefined || value === null) return []
  const at = `${path}.default`
  const errors: FieldError[] = []
  if (!isMeta) {
    try {
      if (!equalJson(pruneCustomValue(typeOfCustomValue(schema), value), value)) {
        errors.push({ field: at, reason: 'FieldValueInvalid', detail: `Invalid value: ${goValue(value)}: must not have unknown fields` })
      }
    } catch (error) {
      if (error instanceof MisfitError) return [misfit(error, at)]
      throw error
    }
    const embedded = embeddedObjectErrors(schema, value, at)
    if (embedded.length > 0) return [...errors, ...embedded]
  }
  const wrong = schemaErrors(schema, value, { below: at, isDefault: true })
  return [...errors, ...(wrong.length > 0 ? wrong : (SchemaRules.of(schema, false)?.judgeDefault(value, at) ?? []))]
}

function misfit({ field, value, why }: MisfitError, at: string): FieldError {
  return invalidValue(`${at}${field.startsWith('[') ? '' : '.'}${field}`, value, why)
}
