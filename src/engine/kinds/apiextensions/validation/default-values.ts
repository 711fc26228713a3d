/** Defaults must match their schema and survive pruning (`crd-def-defaults`). */

import { aggregateMessage } from '../../../core/aggregate-message'
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { changesOf } from '../../../release-tables/changes'
import { CustomTypes } from '../../../schema/custom'
import { MisfitError, pruneCustomValue, readCustomValue } from '../../../schema/custom-decode'
import type { TypeNode } from '../../../schema/model'
import { embeddedObjectErrors } from '../../../validation/custom-objects/embedded'
import { schemaErrors } from '../../../validation/custom-objects/schema'
import { invalidPrinted, printedUntyped } from '../../../validation/field-errors'
import { SchemaRules } from '../rules/evaluate'
import { membersOf } from './structural'

const META = ['apiVersion', 'kind', 'metadata']

export function defaultErrors(schema: JsonObject, path: string, release?: string): FieldError[] {
  // The root is an API object.
  const root = { ...schema, 'x-kubernetes-embedded-resource': true }
  const changes = release === undefined ? undefined : changesOf(release)
  return new DefaultErrors(changes?.has('NumbersFitTheirTypes') === true).within(
    root,
    path,
    undefined,
  )
}

/** For apiVersion, kind or metadata of an API object. */
interface MetaPart {
  resource: JsonObject
  /** Puts the value into a minimal object. */
  around(value: Json): JsonObject
}

const SOME_OBJECT = { apiVersion: 'validation/v1', kind: 'Validation' }

class DefaultErrors {
  private readonly types = new CustomTypes()

  constructor(private readonly checksRanges: boolean) {}

  /** Skips additional properties. @param meta set inside apiVersion, kind and metadata */
  within(schema: JsonObject, path: string, meta: MetaPart | undefined): FieldError[] {
    const embedded = schema['x-kubernetes-embedded-resource'] === true
    const outer = embedded ? undefined : meta
    const { items } = schema
    const below = (name: string): MetaPart | undefined => {
      if (outer !== undefined)
        return { ...outer, around: (value) => outer.around({ [name]: value }) }
      return embedded && META.includes(name)
        ? { resource: schema, around: (value) => ({ ...SOME_OBJECT, [name]: value }) }
        : undefined
    }
    return [
      ...(outer === undefined ? this.own(schema, path) : this.inMetadata(schema, path, outer)),
      ...(isJsonObject(items)
        ? this.within(
            items,
            `${path}.items`,
            outer && { ...outer, around: (value) => outer.around([value]) },
          )
        : []),
      ...membersOf(schema).flatMap(([name, member]) =>
        this.within(member, `${path}.properties[${name}]`, below(name)),
      ),
    ]
  }

  private own(schema: JsonObject, path: string): FieldError[] {
    const { default: value } = schema
    if (value === undefined || value === null) return []
    const at = `${path}.default`
    const type = this.types.of(schema)
    const errors: FieldError[] = []
    if (!equalJson(pruneCustomValue(type, value), value)) {
      errors.push(invalidPrinted(at, printedUntyped(value), 'must not have unknown fields'))
    }
    const embedded = embeddedErrors(type, schema, value, at)
    return [...errors, ...(embedded.length > 0 ? embedded : this.valueErrors(schema, value, at))]
  }

  /** Metadata must stay decodable and valid. */
  private inMetadata(
    schema: JsonObject,
    path: string,
    { resource, around }: MetaPart,
  ): FieldError[] {
    const { default: value } = schema
    if (value === undefined || value === null) return []
    const at = `${path}.default`
    const wrong = embeddedErrors(this.types.of(resource), resource, around(value), '')
    if (wrong.length === 0) return this.valueErrors(schema, value, at)
    const why = aggregateMessage(wrong.map(({ field, detail }) => `${field}: ${detail}`))
    return [invalidPrinted(at, printedUntyped(value), `must result in valid metadata: ${why}`)]
  }

  private valueErrors(schema: JsonObject, value: Json, at: string): FieldError[] {
    const { checksRanges } = this
    const wrong = schemaErrors(schema, value, { below: at, isDefault: true, checksRanges })
    return wrong.length > 0
      ? wrong
      : (SchemaRules.of(schema, false)?.evaluateDefault(value, at) ?? [])
  }
}

/** @param at empty for a whole object */
function embeddedErrors(type: TypeNode, schema: JsonObject, value: Json, at: string): FieldError[] {
  try {
    return embeddedObjectErrors(schema, readCustomValue(type, value), at)
  } catch (error) {
    if (error instanceof MisfitError) return [misfit(error, at)]
    throw error
  }
}

function misfit({ field, value, why }: MisfitError, at: string): FieldError {
  const path = at === '' ? field : `${at}${field.startsWith('[') ? '' : '.'}${field}`
  return invalidPrinted(path, printedUntyped(value), why)
}
