/** Rules of DaemonSets. Recorded from kube-apiserver 1.31. */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { signedProblem } from '../../schema/go-parse-number'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { required } from '../../validation/field-errors'
import { typeNamed, unsupportedStructure } from '../../validation/go-literal'
import { labelSelectorErrors } from '../../validation/label-selectors'
import {
  amountErrors,
  atMostWhole,
  invalidAmount,
  notNegative,
  plainAmount,
} from '../../validation/numbers'
import { dropGatedTemplateMembers } from '../core/pod-gates'
import { templateOptions } from '../core/pod-validation/options'
import { podTemplateErrors } from '../core/pod-validation/template'
import { templateWarnings } from '../core/pod-warnings'
import { defaultDaemonSet } from './defaults'
import {
  collisionErrors,
  emptySelectorErrors,
  immutableSelectorErrors,
  isUsable,
  keepSpec,
  longRunningErrors,
  mismatchErrors,
  type Rollout,
  type StatusRules,
  selects,
  spec,
  statusErrors,
  templateOnUpdate,
} from './workload-rules'

const STATUS: StatusRules = {
  counts: [
    ...[
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
    ],
    ...['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount'],
  ],
  within: [],
}

/** Formerly a member of the spec. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

function setTemplateGeneration(object: KubeObject, value: string): void {
  object.metadata.annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: value }
}

export const daemonSetStrategy: Strategy = {
  unreadable({ metadata }) {
    const annotation = metadata?.annotations?.[TEMPLATE_GENERATION]
    return annotation === undefined ? undefined : signedProblem(annotation)
  },
  generationFields: ['spec'],
  serverOwned: ['status'],
  defaults(object) {
    defaultDaemonSet(object)
    // Clients set only the initial value. An update that omits it still owns it.
    setTemplateGeneration(object, object.metadata.annotations?.[TEMPLATE_GENERATION] ?? '0')
  },
  prepareForCreate(object, { engine }) {
    const annotation = object.metadata.annotations?.[TEMPLATE_GENERATION] ?? ''
    setTemplateGeneration(
      object,
      /^\+?0*[1-9]\d*$/.test(annotation) ? String(Number(annotation)) : '1',
    )
    dropGatedTemplateMembers(engine, object)
  },
  prepareForUpdate(object, old, { engine }) {
    dropGatedTemplateMembers(engine, object, old)
    const before = old.metadata.annotations?.[TEMPLATE_GENERATION] ?? '0'
    const same = semanticallyEqual(
      typeNamed('PodTemplateSpec', engine.tables),
      spec(object).template,
      spec(old).template,
    )
    setTemplateGeneration(object, same ? before : String(Number(before) + 1))
  },
  validate(object, { engine }, old) {
    const { selector, template, updateStrategy, minReadySeconds, revisionHistoryLimit } =
      spec(object)
    return [
      ...labelSelectorErrors(selector, 'spec.selector'),
      ...mismatchErrors(template, !isUsable(selector) || selects(selector, template)),
      ...emptySelectorErrors(selector, 'daemonset'),
      ...podTemplateErrors(template, 'spec.template', templateOptions(engine, old)),
      ...longRunningErrors(template, 'DaemonSet'),
      ...notNegative('spec.minReadySeconds', minReadySeconds),
      ...rolloutErrors(updateStrategy ?? {}, 'spec.updateStrategy'),
      ...notNegative('spec.revisionHistoryLimit', revisionHistoryLimit),
    ]
  },
  validateUpdate: immutableSelectorErrors,
  warningsOnCreate: (object, { engine }) =>
    templateWarnings(spec(object).template, 'spec.template', engine.tables.changes),
  warningsOnUpdate: templateOnUpdate,
  status: {
    prepareForUpdate(object, old) {
      keepSpec(object, old)
      setTemplateGeneration(object, old.metadata.annotations?.[TEMPLATE_GENERATION] ?? '0')
    },
    validateUpdate: (object, old) => [
      ...statusErrors(object, STATUS),
      ...collisionErrors(object, old),
    ],
  },
}

/** Exactly one of maxUnavailable and maxSurge is positive. */
function rolloutErrors(strategy: Rollout, path: string): FieldError[] {
  const { type = '', rollingUpdate: rolling } = strategy
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate')
    return [
      unsupportedStructure(path, 'apps.v1.DaemonSetUpdateStrategy', strategy, [
        'RollingUpdate',
        'OnDelete',
      ]),
    ]
  if (!rolling) return [required(`${path}.rollingUpdate`)]
  const { maxUnavailable = 0, maxSurge = 0 } = rolling
  const [unavailable, surge] = [
    `${path}.rollingUpdate.maxUnavailable`,
    `${path}.rollingUpdate.maxSurge`,
  ]
  const errors = [
    ...amountErrors(unavailable, maxUnavailable),
    ...amountErrors(surge, maxSurge),
    ...atMostWhole(unavailable, maxUnavailable),
    ...atMostWhole(surge, maxSurge),
  ]
  const [down, up] = [plainAmount(maxUnavailable) !== 0, plainAmount(maxSurge) !== 0]
  if (down && up)
    errors.push(invalidAmount(surge, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  if (!down && !up) errors.push(required(unavailable, 'cannot be 0 when maxSurge is 0'))
  return errors
}
