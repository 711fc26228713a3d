/** Defaults in a schema: each is a value of its own schema, with nothing that would be dropped (recorded: crd-def-defaults). */
import { aggregated } from '../../../authorization/errors'
import type { FieldError } from '../../../http/status'
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../object'
import { typeOfCustomValue } from '../../../schema/custom'
import { MisfitError, pruneCustomValue, readCustomValue } from '../../../schema/custom-decode'
import { goValue } from '../../../schema/go-text'
import type { TypeNode } from '../../../schema/model'
import { embeddedObjectErrors } from '../../rules/custom-objects/embedded'
import { schemaErrors } from '../../rules/custom-objects/schema'
import { SchemaRules } from '../rules/evaluate'
import { membersOf } from './structural'

const META = ['apiVersion', 'kind', 'metadata']

/** What is wrong with the defaults of a structural schema and of its parts. @param path of the schema in the definition */
export function defaultErrors(schema: JsonObject, path: string): FieldError[] {
  // The whole is an object of the API itself.
  return errorsWithin({ ...schema, 'x-kubernetes-embedded-resource': true }, path, undefined)
}

/** A default that stands for part of what every object of the API has. */
interface MetaPart {
  /** The schema of that object. */
  resource: JsonObject
  /** That object, with nothing but a value for this part. */
  around(value: Json): JsonObject
}

/** Defaults of members that have no names are not asked. @param meta if it is part of what every object has */
function errorsWithin(schema: JsonObject, path: string, meta: MetaPart | undefined): FieldError[] {
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  const outer = embedded ? undefined : meta
  const { items } = schema
  const below = (name: string): MetaPart | undefined => {
    if (outer !== undefined) return { ...outer, around: (value) => outer.around({ [name]: value }) }
    return embedded && META.includes(name)
      ? { resource: schema, around: (value) => ({ ...SOME_OBJECT, [name]: value }) }
      : undefined
  }
  return [
    ...(outer === undefined ? ownErrors(schema, path) : metaErrors(schema, path, outer)),
    ...(isJsonObject(items)
      ? errorsWithin(
          items,
          `${path}.items`,
          outer && { ...outer, around: (value) => outer.around([value]) },
        )
      : []),
    ...membersOf(schema).flatMap(([name, member]) =>
      errorsWithin(member, `${path}.properties[${name}]`, below(name)),
    ),
  ]
}

/** An object of the API that is right, for a default to be put into. */
const SOME_OBJECT = { apiVersion: 'validation/v1', kind: 'Validation' }

function ownErrors(schema: JsonObject, path: string): FieldError[] {
  const { default: value } = schema
  if (value === undefined || value === null) return []
  const at = `${path}.default`
  const type = typeOfCustomValue(schema)
  const errors: FieldError[] = []
  if (!equalJson(pruneCustomValue(type, value), value)) {
    errors.push({
      field: at,
      reason: 'FieldValueInvalid',
      detail: `Invalid value: ${goValue(value)}: must not have unknown fields`,
    })
  }
  const embedded = embeddedErrors(type, schema, value, at)
  return [...errors, ...(embedded.length > 0 ? embedded : valueErrors(schema, value, at))]
}

/** A default that goes into metadata must leave that readable and right (recorded). */
function metaErrors(
  schema: JsonObject,
  path: string,
  { resource, around }: MetaPart,
): FieldError[] {
  const { default: value } = schema
  if (value === undefined || value === null) return []
  const at = `${path}.default`
  const wrong = embeddedErrors(typeOfCustomValue(resource), resource, around(value), '')
  if (wrong.length === 0) return valueErrors(schema, value, at)
  const why = aggregated(wrong.map(({ field, detail }) => `${field}: ${detail}`))
  return [
    {
      field: at,
      reason: 'FieldValueInvalid',
      detail: `Invalid value: ${goValue(value)}: must result in valid metadata: ${why}`,
    },
  ]
}

/** What is wrong with the objects of the API that a value is or holds. @param at where it stands; empty for a whole object */
function embeddedErrors(type: TypeNode, schema: JsonObject, value: Json, at: string): FieldError[] {
  try {
    return embeddedObjectErrors(schema, readCustomValue(type, value), at)
  } catch (error) {
    if (error instanceof MisfitError) return [misfit(error, at)]
    throw error
  }
}

function valueErrors(schema: JsonObject, value: Json, at: string): FieldError[] {
  const wrong = schemaErrors(schema, value, { below: at, isDefault: true })
  return wrong.length > 0
    ? wrong
    : (SchemaRules.of(schema, false)?.evaluateDefault(value, at) ?? [])
}

function misfit({ field, detail }: MisfitError, at: string): FieldError {
  return {
    field: at === '' ? field : `${at}${field.startsWith('[') ? '' : '.'}${field}`,
    reason: 'FieldValueInvalid',
    detail,
  }
}
