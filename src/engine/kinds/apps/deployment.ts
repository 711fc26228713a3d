/** Rules of Deployments. Recorded from kube-apiserver 1.31. */

import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { forbiddenField, invalidValue, required } from '../../validation/field-errors'
import { unsupportedStructure } from '../../validation/go-literal'
import {
  amountErrors,
  atMostWhole,
  invalidAmount,
  notNegative,
  plainAmount,
} from '../../validation/numbers'
import { dropGatedTemplateMembers } from '../core/pod-gates'
import { templateOptions } from '../core/pod-validation/options'
import { defaultDeployment } from './defaults'
import {
  collisionErrors,
  immutableSelectorErrors,
  keepSpec,
  type Rollout,
  replicaTemplateErrors,
  requiredSelectorErrors,
  type StatusRules,
  spec,
  statusErrors,
  templateOnCreate,
  templateOnUpdate,
} from './workload-rules'

const STATUS: StatusRules = {
  counts: [
    ...[
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
    ],
    'collisionCount',
  ],
  within: [
    ['updatedReplicas', 'replicas', 'status.replicas'],
    ['readyReplicas', 'replicas', 'status.replicas'],
    ['availableReplicas', 'replicas', 'status.replicas'],
    ['availableReplicas', 'readyReplicas', 'readyReplicas'],
  ],
}

export const deploymentStrategy: Strategy = {
  generationFields: ['spec', 'metadata.annotations'],
  statusKeeps: ['labels'],
  serverOwned: ['status'],
  defaults: defaultDeployment,
  prepareForCreate: (object, { engine }) => dropGatedTemplateMembers(engine, object),
  prepareForUpdate: (object, old, { engine }) => dropGatedTemplateMembers(engine, object, old),
  validate(object, { engine }, old) {
    const deployment = spec(object)
    const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = deployment
    const errors = [
      ...notNegative('spec.replicas', deployment.replicas),
      ...requiredSelectorErrors(deployment.selector, 'deployment'),
      ...replicaTemplateErrors(deployment, templateOptions(engine, old)),
      ...rolloutErrors(deployment.strategy ?? {}, 'spec.strategy'),
      ...notNegative('spec.minReadySeconds', minReadySeconds),
      ...notNegative('spec.revisionHistoryLimit', deployment.revisionHistoryLimit),
      ...notNegative('spec.progressDeadlineSeconds', deadline),
    ]
    if (typeof deadline === 'number' && deadline <= minReadySeconds)
      errors.push(
        invalidValue(
          'spec.progressDeadlineSeconds',
          deadline,
          'must be greater than minReadySeconds',
        ),
      )
    return errors
  },
  validateUpdate: immutableSelectorErrors,
  warningsOnCreate: templateOnCreate,
  warningsOnUpdate: templateOnUpdate,
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object, old) => [
      ...statusErrors(object, STATUS),
      ...collisionErrors(object, old),
    ],
  },
}

function rolloutErrors(strategy: Rollout, path: string): FieldError[] {
  const { type = '', rollingUpdate: rolling } = strategy
  if (type === 'Recreate')
    return rolling
      ? [
          forbiddenField(
            `${path}.rollingUpdate`,
            "may not be specified when strategy `type` is 'Recreate'",
          ),
        ]
      : []
  if (type !== 'RollingUpdate')
    return [
      unsupportedStructure(path, 'apps.v1.DeploymentStrategy', strategy, [
        'Recreate',
        'RollingUpdate',
      ]),
    ]
  if (!rolling)
    return [required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil')]
  const { maxUnavailable = 0, maxSurge = 0 } = rolling
  const [unavailable, surge] = [
    `${path}.rollingUpdate.maxUnavailable`,
    `${path}.rollingUpdate.maxSurge`,
  ]
  const errors = [...amountErrors(unavailable, maxUnavailable), ...amountErrors(surge, maxSurge)]
  if (plainAmount(maxUnavailable) === 0 && plainAmount(maxSurge) === 0)
    errors.push(invalidAmount(unavailable, maxUnavailable, 'may not be 0 when `maxSurge` is 0'))
  return [...errors, ...atMostWhole(unavailable, maxUnavailable)]
}
