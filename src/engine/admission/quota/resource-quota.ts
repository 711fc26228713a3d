/**
 * Charges admitted objects at once, except in dry runs, so quotas hold without a controller.
 * Recorded from kube-apiserver 1.31.
 */
import { chain, type MaybePromise } from '../../core/maybe-promise'
import { entryOf, type KubeObject } from '../../core/object'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
  ZERO_QUANTITY,
} from '../../schema/quantity'
import type { ResourceAmounts } from '../../validation/pods'
import { type AdmissionAttributes, type AdmissionPlugin, resourceKey } from '../admission'
import { type AdmissionEnvironment, readObjects } from '../environment'
import { newForbidden } from '../errors'
import { constraintText } from './constraints'
import { type LimitedResource, Limits, limitedResources } from './limited'
import { type ScopedSpec, scopesOf } from './scopes'
import { type Evaluator, evaluatorOf } from './usage'

interface ResourceQuota extends KubeObject {
  spec?: ScopedSpec
  status?: { hard?: ResourceAmounts; used?: ResourceAmounts }
}

type Amounts = Map<string, Quantity>

export function resourceQuota(environment: AdmissionEnvironment): AdmissionPlugin {
  const limited = limitedResources(environment.configurationOf('ResourceQuota'))
  return {
    name: 'ResourceQuota',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { namespaced, namespace, operation, subresource } = attributes
      if (!namespaced || namespace === '' || subresource !== '') return
      const evaluator = evaluatorOf(resourceKey(attributes))
      if (!evaluator?.operations.includes(operation)) return
      return enforce(environment, { attributes, evaluator, limited })
    },
  }
}

interface QuotaRequest {
  attributes: AdmissionAttributes
  evaluator: Evaluator
  limited: LimitedResource[]
}

/** @throws ApiError 403 */
function enforce(environment: AdmissionEnvironment, request: QuotaRequest): MaybePromise<void> {
  const present = readObjects<ResourceQuota>(
    environment,
    `/registry/resourcequotas/${request.attributes.namespace}/`,
  )
  return chain(present, (quotas) => {
    if (quotas.length === 0 && request.limited.length === 0) return
    return charge(environment, request, quotas).then((charged) =>
      charged ? undefined : enforce(environment, request),
    )
  })
}

/** @returns false if a quota was changed concurrently @throws ApiError 403 */
async function charge(
  environment: AdmissionEnvironment,
  request: QuotaRequest,
  quotas: ResourceQuota[],
): Promise<boolean> {
  const charged = checkQuotas(request, quotas, environment.clock.now())
  if (request.attributes.dryRun) return true
  for (const { quota, used } of charged) {
    if (!(await environment.writeStatus(quota, { ...quota.status, used }))) return false
  }
  return true
}

interface Charged {
  quota: ResourceQuota
  used: ResourceAmounts
}

function checkQuotas(
  { attributes, evaluator, limited }: QuotaRequest,
  quotas: ResourceQuota[],
  now: number,
): Charged[] {
  const object = attributes.object as KubeObject
  const concerned = quotas.filter((quota) => concerns(quota, evaluator, object))
  for (const quota of concerned) checkCountable(attributes, evaluator, quota, object)
  const delta = amounts(evaluator.usage(object, now))
  const negative = [...delta].filter(([, amount]) => amount.mantissa < 0n).map(([name]) => name)
  if (negative.length > 0)
    throw newForbidden(
      attributes,
      `quota usage is negative for resource(s): ${negative.sort().join(',')}`,
    )
  if (attributes.oldObject) {
    for (const [name, before] of amounts(evaluator.usage(attributes.oldObject, now))) {
      delta.set(name, subtractQuantities(delta.get(name) ?? ZERO_QUANTITY, before))
    }
  }
  // Only the quota controller releases usage.
  for (const [name, amount] of [...delta]) if (amount.mantissa <= 0n) delta.delete(name)
  if (delta.size === 0) return []
  const entries = concerned.flatMap(({ status }) => Object.keys(status?.hard ?? {}))
  new Limits(limited, attributes, evaluator).check(
    quotas.map(({ spec = {} }) => spec),
    entries,
    now,
  )
  return concerned.flatMap((quota) => afterCharge(attributes, quota, delta) ?? [])
}

function concerns(
  { spec = {}, status }: ResourceQuota,
  evaluator: Evaluator,
  object: KubeObject,
): boolean {
  return (
    Object.keys(status?.hard ?? {}).some((entry) => evaluator.counts(entry)) &&
    scopesOf(spec).every((scope) => evaluator.matchesScope(object, scope))
  )
}

function checkCountable(
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  { metadata, status }: ResourceQuota,
  object: KubeObject,
): void {
  const entries = Object.keys(status?.hard ?? {}).filter((entry) => evaluator.counts(entry))
  const missing = evaluator.missing?.(object, entries)
  if (missing !== undefined) {
    const why = `failed quota: ${metadata.name}: ${constraintText(missing)}`
    const error = newForbidden(attributes, why)
    error.grounds = { by: 'quota constraint', quota: metadata.name ?? '', missing }
    throw error
  }
  if (entries.some((entry) => entryOf(status?.used, entry) === undefined)) {
    throw newForbidden(
      attributes,
      `status unknown for quota: ${metadata.name}, resources: ${[...entries].sort().join(',')}`,
    )
  }
}

/** @returns undefined if nothing counts @throws ApiError 403 that names every exceeded entry */
function afterCharge(
  attributes: AdmissionAttributes,
  quota: ResourceQuota,
  delta: Amounts,
): Charged | undefined {
  const hard = amounts(quota.status?.hard)
  const used = amounts(quota.status?.used)
  const requested: Amounts = new Map([...delta].filter(([name]) => hard.has(name)))
  if (requested.size === 0) return undefined
  const after: Amounts = new Map(used)
  for (const [name, amount] of requested)
    after.set(name, addQuantities(used.get(name) ?? ZERO_QUANTITY, amount))
  const exceeded = [...requested.keys()]
    .filter(
      (name) =>
        compareQuantities(after.get(name) ?? ZERO_QUANTITY, hard.get(name) ?? ZERO_QUANTITY) > 0,
    )
    .sort()
  if (exceeded.length > 0) {
    const shown = (of: Amounts) =>
      exceeded.map((name) => `${name}=${formatQuantity(of.get(name) ?? ZERO_QUANTITY)}`).join(',')
    const error = newForbidden(
      attributes,
      `exceeded quota: ${quota.metadata.name}, requested: ${shown(requested)}, used: ${shown(used)}, limited: ${shown(hard)}`,
    )
    error.grounds = {
      by: 'quota',
      quota: quota.metadata.name ?? '',
      hard: Object.fromEntries(
        exceeded.map((name) => [name, formatQuantity(after.get(name) ?? ZERO_QUANTITY)]),
      ),
    }
    throw error
  }
  return {
    quota,
    used: Object.fromEntries([...after].map(([name, amount]) => [name, formatQuantity(amount)])),
  }
}

function amounts(texts: ResourceAmounts = {}): Amounts {
  return new Map(Object.entries(texts).map(([name, text]) => [name, parseQuantity(String(text))]))
}
