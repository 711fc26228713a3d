/** Strategies of the kinds of group `coordination.k8s.io` (recorded). */
import type { FieldError } from '../../http/status'
import { isJsonObject, type JsonObject, type KubeObject } from '../../object'
import { invalidValue } from '../field-errors'
import type { Strategy } from '../strategy'

interface Lease extends KubeObject {
  spec?: JsonObject
}

/** Served only with the feature gate CoordinatedLeaderElection, which is off by default. */
const GATED = ['strategy', 'preferredHolder']

function withoutGated(object: KubeObject, old?: KubeObject): void {
  const { spec } = object as Lease
  if (!isJsonObject(spec)) return
  const before = (old as Lease | undefined)?.spec
  if (GATED.some((member) => before?.[member] !== undefined)) return
  for (const member of GATED) delete spec[member]
}

const leaseStrategy: Strategy = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  laxFinalizers: true,
  prepareForCreate: (object) => withoutGated(object),
  prepareForUpdate: withoutGated,
  validate(object) {
    const { leaseDurationSeconds: duration, leaseTransitions: transitions } = (object as Lease).spec ?? {}
    const errors: FieldError[] = []
    if (typeof duration === 'number' && duration <= 0)
      errors.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'))
    if (typeof transitions === 'number' && transitions < 0)
      errors.push(invalidValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'))
    return errors
  },
}

export const coordinationStrategies: Record<string, Strategy> = {
  'coordination.k8s.io/Lease': leaseStrategy,
}
