import { entryOf, type KubeObject } from '../../core/object'
import { type FieldError, forbidden } from '../../http/status'
import type { Kind } from '../../registry/kind'
import type { Strategy } from '../../registry/strategy'
import { CHANGE_ONLY } from '../../registry/update-order'
import { forbiddenField, invalidValue, notSupported, required } from '../../validation/field-errors'

interface PriorityClass extends KubeObject {
  value?: number
  globalDefault?: boolean
  preemptionPolicy?: string
}

const HIGHEST_OF_USERS = 1_000_000_000
const SYSTEM_PREFIX = 'system-'
const SYSTEM_CLASSES: Record<string, number> = {
  'system-cluster-critical': 2 * HIGHEST_OF_USERS,
  'system-node-critical': 2 * HIGHEST_OF_USERS + 1000,
}
const POLICIES = ['PreemptLowerPriority', 'Never']

const priorityClassStrategy: Strategy = {
  // The generation never increases (kube-apiserver 1.31).
  generationFields: [],
  validatesAllOnUpdate: false,
  defaults(object) {
    const priorityClass = object as PriorityClass
    priorityClass.preemptionPolicy ??= 'PreemptLowerPriority'
  },
  beforeDelete({ metadata: { name = '' } }) {
    if (entryOf(SYSTEM_CLASSES, name) === undefined) return
    throw forbidden(
      { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
      name,
      'this is a system priority class and cannot be deleted',
    )
  },
  validate: (object) => priorityClassErrors(object as PriorityClass),
  validateUpdate(object, old) {
    const [now, before] = [object as PriorityClass, old as PriorityClass]
    const errors: FieldError[] = []
    if ((now.value ?? 0) !== (before.value ?? 0))
      errors.push(forbiddenField('value', 'may not be changed in an update.'))
    if (now.preemptionPolicy !== before.preemptionPolicy) {
      errors.push(invalidValue('preemptionPolicy', now.preemptionPolicy, 'field is immutable'))
    }
    return errors
  },
}

function priorityClassErrors({
  metadata,
  value = 0,
  globalDefault = false,
  preemptionPolicy,
}: PriorityClass): FieldError[] {
  const name = metadata.name ?? ''
  const errors: FieldError[] = []
  if (name.startsWith(SYSTEM_PREFIX)) {
    const why = systemClassProblem(name, value, globalDefault)
    const reserved = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${why}`
    if (why !== undefined) errors.push(forbiddenField('metadata.name', reserved))
  } else if (value > HIGHEST_OF_USERS) {
    errors.push(
      forbiddenField(
        'value',
        `maximum allowed value of a user defined priority is ${HIGHEST_OF_USERS}`,
      ),
    )
  }
  if (preemptionPolicy === '') errors.push(required('preemptionPolicy'))
  else if (preemptionPolicy !== undefined && !POLICIES.includes(preemptionPolicy)) {
    errors.push(notSupported('preemptionPolicy', preemptionPolicy, POLICIES))
  }
  return errors
}

function systemClassProblem(
  name: string,
  value: number,
  globalDefault: boolean,
): string | undefined {
  const known = entryOf(SYSTEM_CLASSES, name)
  if (known === undefined) return `${name} is not a known system priority class`
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`
  if (globalDefault) return `globalDefault of ${name} PriorityClass must be false`
  return undefined
}

export const schedulingKinds: readonly Kind[] = [
  {
    group: 'scheduling.k8s.io',
    kind: 'PriorityClass',
    strategy: priorityClassStrategy,
    updateChecks: CHANGE_ONLY,
  },
]
