/** Rules of ReplicationControllers. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { JsonObject, KubeObject } from '../../core/object'
import type { Strategy } from '../../registry/strategy'
import { atLeast, type Declared, inFormat } from '../../validation/declared/rules'
import { required } from '../../validation/field-errors'
import { dnsSubdomainProblems } from '../../validation/names'
import { notNegative } from '../../validation/numbers'
import { defaultReplicationController, labelsFromTemplate } from '../apps/defaults'
import { REPLICA_STATUS } from '../apps/replica-set'
import {
  keepSpec,
  longRunningErrors,
  mismatchErrors,
  selects,
  spec,
  statusErrors,
  templateOnCreate,
} from '../apps/workload-rules'
import { dropGatedTemplateMembers } from './pod-gates'
import type { PodTemplate } from './pod-types'
import { templateOptions } from './pod-validation/options'
import { podTemplateErrors } from './pod-validation/template'
import { templateWarnings } from './pod-warnings'

interface ReplicationController extends KubeObject {
  spec?: {
    replicas?: number
    minReadySeconds?: number
    selector?: Record<string, string>
    template?: PodTemplate
  }
}

/** Problems of names in bytes. */
const nameProblems = (name: string): string[] =>
  dnsSubdomainProblems(name).map((problem) => problem.replace(/characters$/, 'bytes'))

export const replicationControllerRules: Declared = {
  members: {
    metadata: { members: { name: { all: [inFormat(nameProblems)], replaces: /^Invalid value/ } } },
    spec: { members: { replicas: { all: [atLeast(0)] }, minReadySeconds: { all: [atLeast(0)] } } },
  },
}

export const replicationControllerStrategy: Strategy = {
  generationFields: ['spec'],
  serverOwned: ['status'],
  defaultPropagation: 'Orphan',
  defaults: defaultReplicationController,
  prepareForCreate(object, { engine }) {
    object.status = {}
    dropGatedTemplateMembers(engine, object)
  },
  prepareForUpdate: (object, old, { engine }) => dropGatedTemplateMembers(engine, object, old),
  validate(object, { engine }, old) {
    const {
      replicas,
      minReadySeconds,
      selector = {},
      template,
    } = (object as ReplicationController).spec ?? {}
    const empty = Object.keys(selector).length === 0
    const errors = notNegative('spec.minReadySeconds', minReadySeconds)
    if (empty) errors.push(required('spec.selector'))
    append(errors, notNegative('spec.replicas', replicas))
    if (!template) return [...errors, required('spec.template')]
    return [
      ...errors,
      ...mismatchErrors(template, empty || selects({ matchLabels: selector }, template)),
      ...podTemplateErrors(template, 'spec.template', templateOptions(engine, old)),
      ...longRunningErrors(template, 'ReplicationController'),
    ]
  },
  warningsOnCreate: templateOnCreate,
  // kube-apiserver warns about the old template.
  warningsOnUpdate: (object, old, { engine }) =>
    object.metadata.generation === old.metadata.generation
      ? []
      : templateWarnings(spec(old).template, 'spec.template', engine.tables.changes),
  status: {
    prepareForUpdate(object, old) {
      keepSpec(object, old)
      // Reads show template labels even after a status update without labels.
      labelsFromTemplate(object, object.spec as JsonObject)
    },
    validateUpdate: (object) => statusErrors(object, REPLICA_STATUS),
  },
}
