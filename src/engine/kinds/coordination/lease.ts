/** Rules of Leases. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import { forbiddenField, invalidValue } from '../../validation/field-errors'
import { strategyErrors } from './election'

interface Lease extends KubeObject {
  spec?: JsonObject
}

/** Need CoordinatedLeaderElection. */
const GATED = ['strategy', 'preferredHolder']

function withoutGated(
  { featureGates }: StrategyEngine,
  object: KubeObject,
  old?: KubeObject,
): void {
  const { spec } = object as Lease
  if (!isJsonObject(spec) || featureGates.CoordinatedLeaderElection) return
  const before = (old as Lease | undefined)?.spec
  if (GATED.some((member) => before?.[member] !== undefined)) return
  for (const member of GATED) delete spec[member]
}

export const leaseStrategy: Strategy = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  laxFinalizers: true,
  prepareForCreate: (object, { engine }) => withoutGated(engine, object),
  prepareForUpdate: (object, old, { engine }) => withoutGated(engine, object, old),
  validate(object) {
    const {
      leaseDurationSeconds: duration,
      leaseTransitions: transitions,
      strategy,
      preferredHolder,
    } = (object as Lease).spec ?? {}
    const errors: FieldError[] = []
    if (typeof duration === 'number' && duration <= 0)
      errors.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'))
    if (typeof transitions === 'number' && transitions < 0)
      errors.push(
        invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'),
      )
    if (typeof strategy === 'string') append(errors, strategyErrors('spec.strategy', strategy))
    if (preferredHolder && !strategy)
      errors.push(
        forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined'),
      )
    return errors
  },
}
