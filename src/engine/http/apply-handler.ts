/** See kubernetes.io, "Server-Side Apply". Texts recorded from kube-apiserver 1.31. */

import type { ApplyOutcome } from '../apply/managers'
import { objectText } from '../apply/validate'
import { chain, type MaybePromise, stageBarrier } from '../core/maybe-promise'
import { draftOf, isJsonObject, type JsonObject, type KubeObject } from '../core/object'
import { applyToStored } from '../registry/record-ownership'
import type { RequestContext } from '../registry/request-context'
import type { Resource } from '../registry/resource'
import type { Changes } from '../release-tables/changes'
import { MisfitError } from '../schema/custom-decode'
import { convertObject, DecodeError } from '../schema/decode'
import { jsonTypeName } from '../schema/envelope'
import { recordNumberLiterals } from '../schema/number-literals'
import { readYaml, warningsOf, YamlSyntaxError } from '../schema/yaml/reader'
import { invalidPrinted, printedUntyped } from '../validation/field-errors'
import { bodyText, completed, expectedOf } from './body'
import type { WriteOptions } from './options'
import { badRequest, invalid, serverError } from './status'
import { servedObject } from './stored-json'

export interface AppliedBody {
  applied: JsonObject
  duplicates: string[]
}

const JSON_START = /^\s*\{/

/** @throws ApiError 400 */
export function readApplied(bytes: Uint8Array, changes: Changes): AppliedBody {
  const text = bodyText(bytes)
  try {
    const { value, duplicates, details } = readYaml(text)
    recordNumberLiterals(details)
    if (value !== null && !isJsonObject(value)) {
      const kind = jsonTypeName(value)
      throw badRequest(
        `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
      )
    }
    return { applied: value ?? {}, duplicates }
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    if (changes.has('AppliesDecodeAsPatches') && !JSON_START.test(text))
      throw badRequest(`error encoding patch: ${error.message}`)
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
  }
}

/**
 * @param existing undefined if the apply creates the object
 * @returns a draft in the stored version with its ownership
 * @throws ApiError 400, 409, 500, at once or through the promise
 */
export function appliedObject(
  context: RequestContext,
  existing: KubeObject | undefined,
  { applied, duplicates }: AppliedBody,
  options: Pick<WriteOptions, 'force' | 'fieldValidation'>,
): MaybePromise<KubeObject> {
  return chain(applyToStored(context, existing, applied, options.force), (outcome) => {
    reportDuplicates(context, duplicates, options)
    return chain(stageBarrier(context), () => {
      const object =
        outcome.unchanged && existing !== undefined
          ? draftOf(asRead(existing, context.resource))
          : decoded(outcome, applied, context.resource)
      object.metadata.managedFields = outcome.managedFields
      return object
    })
  })
}

function reportDuplicates(
  context: RequestContext,
  duplicates: AppliedBody['duplicates'],
  options: Pick<WriteOptions, 'fieldValidation'>,
): void {
  if (options.fieldValidation === 'Strict' && duplicates.length > 0) {
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: ${duplicates.join(', ')}`,
    )
  }
  if (options.fieldValidation === 'Warn')
    for (const text of warningsOf(duplicates)) context.warn(text)
}

/** By the current schema of a custom resource (recording `apply-schema`). */
const asRead = (existing: KubeObject, resource: Resource): KubeObject =>
  resource.custom ? servedObject(existing, resource) : existing

function decoded(
  { object, before }: ApplyOutcome,
  applied: JsonObject,
  resource: Resource,
): KubeObject {
  const expected = expectedOf(resource)
  try {
    const converted = convertObject(resource.type, object, {
      madeOf: resource.fromHub ? undefined : before,
      applied: true,
    }).object
    const why = expected.unreadable?.(converted)
    if (why !== undefined)
      throw serverError(
        `failed to convert to unversioned (${objectText(applied, resource)}): ${why}`,
      )
    return completed(converted, expected, 'kept')
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    if (error instanceof MisfitError) {
      const { field, value, why } = error
      throw invalid(resource, (object.metadata as JsonObject).name as string, [
        invalidPrinted(field, printedUntyped(value), why),
      ])
    }
    const kind = `${resource.group}/${resource.version}, Kind=${resource.kind}`
    throw serverError(
      `failed to convert new object (${objectText(applied, resource)}) to proper version: unable to convert unstructured object to ${kind}: ${error.message}`,
    )
  }
}
