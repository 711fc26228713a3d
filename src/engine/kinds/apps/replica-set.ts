/** Rules of ReplicaSets. Recorded from kube-apiserver 1.31. */

import type { Strategy } from '../../registry/strategy'
import { notNegative } from '../../validation/numbers'
import { dropGatedTemplateMembers } from '../core/pod-gates'
import { templateOptions } from '../core/pod-validation/options'
import { defaultReplicaSet } from './defaults'
import {
  immutableSelectorErrors,
  keepSpec,
  replicaTemplateErrors,
  requiredSelectorErrors,
  type StatusRules,
  spec,
  statusErrors,
  templateOnCreate,
  templateOnUpdate,
} from './workload-rules'

/** Also of ReplicationControllers. */
export const REPLICA_STATUS: StatusRules = {
  counts: [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
  ],
  within: [
    ['fullyLabeledReplicas', 'replicas', 'status.replicas'],
    ['readyReplicas', 'replicas', 'status.replicas'],
    ['availableReplicas', 'replicas', 'status.replicas'],
    ['availableReplicas', 'readyReplicas', 'readyReplicas'],
  ],
}

export const replicaSetStrategy: Strategy = {
  generationFields: ['spec'],
  serverOwned: ['status'],
  defaults: defaultReplicaSet,
  prepareForCreate(object, { engine }) {
    object.status = {}
    dropGatedTemplateMembers(engine, object)
  },
  prepareForUpdate: (object, old, { engine }) => dropGatedTemplateMembers(engine, object, old),
  validate: (object, { engine }, old) => [
    ...notNegative('spec.replicas', spec(object).replicas),
    ...notNegative('spec.minReadySeconds', spec(object).minReadySeconds),
    ...requiredSelectorErrors(spec(object).selector, 'deployment'),
    ...replicaTemplateErrors(spec(object), templateOptions(engine, old)),
  ],
  validateUpdate: immutableSelectorErrors,
  warningsOnCreate: templateOnCreate,
  warningsOnUpdate: templateOnUpdate,
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object) => statusErrors(object, REPLICA_STATUS),
  },
}
