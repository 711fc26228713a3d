import { chain, type MaybePromise } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import { type FieldError, invalid } from '../http/status'
import { withDeclared } from '../validation/declared/check'
import {
  validateCommonUpdate,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/object-meta'
import { metaRules } from './create'
import { customKindErrors, nameOfKind } from './custom-kind'
import type { RequestContext } from './request-context'
import type { Resource } from './resource'
import type { Strategy, StrategyContext } from './strategy'
import { CHANGE_FIRST, CHANGE_ONLY, type Check } from './update-order'

const orderOf = ({ custom, rules }: Resource, subresource: string): readonly Check[] =>
  subresource === ''
    ? (rules.updateChecks ?? (custom ? CHANGE_ONLY : CHANGE_FIRST))
    : (rules.subresourceChecks ?? CHANGE_ONLY)

/**
 * @param object with server-owned members carried over
 * @param part the strategy, or a subresource's
 * @throws ApiError 422
 */
export function checkUpdate(
  context: RequestContext,
  object: KubeObject,
  old: KubeObject,
  part: Pick<Strategy, 'validateUpdate'>,
  given: StrategyContext,
): MaybePromise<void> {
  const { resource } = context
  const checks = orderOf(resource, context.subresource)
  const wantsObject = checks.includes('object') && resource.strategy.validatesAllOnUpdate !== false
  return chain(
    wantsObject ? resource.strategy.validate?.(object, given, old) : undefined,
    (ofObject = []) =>
      chain(part.validateUpdate?.(object, old, given), (ofChange = []) =>
        reject(context, object, old, checks, ofObject, ofChange),
      ),
  )
}

function reject(
  context: RequestContext,
  object: KubeObject,
  old: KubeObject,
  checks: readonly Check[],
  ofObject: FieldError[],
  ofChange: FieldError[],
): void {
  const { resource } = context
  const rules = metaRules(resource)
  const metadata = validateObjectMeta(object, rules)
  const metadataChange = validateObjectMetaUpdate(object, old, rules)
  const ofKind = customKindErrors(resource, object)
  if (
    metadata.length + metadataChange.length + ofObject.length + ofChange.length + ofKind.length ===
      0 &&
    resource.rules.declared === undefined
  )
    return
  const found: Record<Check, FieldError[]> = {
    metadata,
    'metadata change': metadataChange,
    object: ofObject,
    change: ofChange,
  }
  const common = validateCommonUpdate(object, old, resource.namespaced)
  const listed =
    ofKind.length > 0
      ? [...common, ...ofKind]
      : [...common, ...checks.flatMap((check) => found[check])]
  const errors = withDeclared(context, object, old, listed)
  if (errors.length > 0) throw invalid(nameOfKind(resource, object), context.name, errors)
}
