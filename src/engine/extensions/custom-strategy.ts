/** Recordings `crd-basics`, `crd-cr-shape`. */

import { equalJson, type JsonObject, type KubeObject } from '../core/object'
import { detailOf, type FieldError } from '../http/status'
import type { DefinitionVersion } from '../kinds/apiextensions/definition'
import { SchemaRules } from '../kinds/apiextensions/rules/evaluate'
import type { Strategy, StrategyContext } from '../registry/strategy'
import { changesOf } from '../release-tables/changes'
import { goQuote } from '../schema/go-text'
import {
  type CustomRules,
  validateCustomObject,
  validateCustomStatus,
} from '../validation/custom-objects'
import { valueAt } from '../validation/custom-objects/scale'
import { invalidValue } from '../validation/field-errors'
import { dnsSubdomain } from '../validation/names'
import {
  isUnqualifiedFinalizer,
  type MetaRules,
  validateObjectMeta,
} from '../validation/object-meta'

export interface CustomKind {
  version: DefinitionVersion
  schema: JsonObject
  served(object: KubeObject): KubeObject
  /** Converts to the storage version, in place. */
  stored(object: KubeObject): void
  release: string
  /** As `stored`, with a conversion webhook. */
  toStored?(object: KubeObject): Promise<void>
}

/** Then no rules are evaluated. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const blocks = ({ reason }: FieldError): boolean => BLOCKING.has(reason)

/** Reported elsewhere; here they count only if they block. */
const METADATA: MetaRules = {
  namespaced: false,
  nameRule: dnsSubdomain,
  checksFinalizerNames: false,
}

const NOT_CHECKED = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

export function customStrategy({
  version,
  schema,
  served,
  release,
  stored,
  toStored,
}: CustomKind): Strategy {
  const scale = version.subresources?.scale
  const nameFormats = changesOf(release).has('NameFormats')
  const rulesBy = ({ engine }: StrategyContext): CustomRules => ({
    schema,
    scale,
    nameFormats,
    checksRanges: engine.tables.changes.has('NumbersFitTheirTypes'),
  })
  const hasStatus = version.subresources?.status !== undefined
  const members = (object: KubeObject): JsonObject => object as unknown as JsonObject
  const expressions = SchemaRules.of(schema, true, release)
  /** Only on objects without other errors (recording `policy-crd-rules`). */
  const expressionErrors = (
    errors: FieldError[],
    context: StrategyContext,
    object: JsonObject,
    old?: JsonObject,
    spares = true,
  ): FieldError[] => {
    if (expressions === undefined) return errors
    if (
      errors.some(blocks) ||
      validateObjectMeta(object as unknown as KubeObject, METADATA).some(blocks)
    )
      return [...errors, NOT_CHECKED]
    const outcome = expressions.evaluate(object, old, {
      times: context.engine.expressionTimes,
      spares,
    })
    for (const warning of outcome.warnings)
      context.warn(`${warning.field}: ${detailOf(warning, context.engine.tables)}`)
    return [...errors, ...outcome.errors]
  }
  return {
    allowUnconditionalUpdate: false,
    laxFinalizers: true,
    validatesAllOnUpdate: false,
    selectableFields: Object.fromEntries(
      (version.selectableFields ?? []).map(({ jsonPath }) => [
        jsonPath.slice(1),
        reader(jsonPath, served),
      ]),
    ),
    prepareForCreate(object) {
      if (hasStatus) delete object.status
      object.metadata.generation = 1
    },
    prepareForUpdate(object, old) {
      const before = served(old)
      if (hasStatus) takeStatus(object, before)
      if (!equalJson(withoutMetadata(object), withoutMetadata(before))) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1
      }
    },
    validate: (object, context) =>
      expressionErrors(
        validateCustomObject(rulesBy(context), members(object)),
        context,
        members(object),
      ),
    validateUpdate(object, old, context) {
      const before = members(served(old))
      // Without the gate unchanged values are validated too.
      const ratchets = context.engine.featureGates.CRDValidationRatcheting === true
      return expressionErrors(
        validateCustomObject(rulesBy(context), members(object), before, ratchets),
        context,
        members(object),
        before,
        ratchets,
      )
    },
    warningsOnCreate: ({ metadata }) => finalizerWarnings(metadata.finalizers ?? []),
    warningsOnUpdate: ({ metadata }, old) =>
      finalizerWarnings(
        (metadata.finalizers ?? []).filter(
          (finalizer) => !old.metadata.finalizers?.includes(finalizer),
        ),
      ),
    canonicalize: stored,
    ...(toStored ? { toStored } : {}),
    status: {
      prepareForUpdate(object, old) {
        const { managedFields, resourceVersion } = object.metadata
        const sent = { ...object }
        const before = served(old)
        for (const name of Object.keys(object)) delete object[name]
        Object.assign(object, before, {
          metadata: { ...before.metadata, managedFields, resourceVersion },
        })
        takeStatus(object, sent)
      },
      validateUpdate(object, old, context) {
        const before = members(served(old))
        return expressionErrors(
          validateCustomStatus(rulesBy(context), members(object), before),
          context,
          members(object),
          before,
          false,
        )
      },
    },
  }
}

/** Changelog of Kubernetes 1.29. */
function finalizerWarnings(added: string[]): string[] {
  const why =
    'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers'
  const unqualified = [...new Set(added)].filter(isUnqualifiedFinalizer).sort()
  return unqualified.map((finalizer) => `metadata.finalizers: ${goQuote(finalizer)}: ${why}`)
}

function withoutMetadata({
  metadata: _metadata,
  apiVersion: _apiVersion,
  ...members
}: KubeObject): unknown {
  return members
}

function takeStatus(object: KubeObject, from: KubeObject): void {
  if (from.status === undefined) delete object.status
  else object.status = from.status
}

function reader(
  jsonPath: string,
  served: (object: KubeObject) => KubeObject,
): (object: KubeObject) => string {
  return (object) => {
    const value = valueAt(served(object) as unknown as JsonObject, jsonPath)
    return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
  }
}
