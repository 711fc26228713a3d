/** Rules that several workloads share. Recorded from kube-apiserver 1.31. */

import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { StrategyContext } from '../../registry/strategy'
import { isExplicitEmpty } from '../../schema/explicit-empties'
import { matchesLabels, selectorOf } from '../../selectors/labels'
import { forbiddenField, invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidMap } from '../../validation/go-literal'
import {
  invalidSelector,
  type LabelSelectorObject,
  labelSelectorErrors,
} from '../../validation/label-selectors'
import { type Amount, notNegative } from '../../validation/numbers'
import type { PodTemplate } from '../core/pod-types'
import type { PodValidationOptions } from '../core/pod-validation/options'
import { podTemplateErrors } from '../core/pod-validation/template'
import { templateWarnings, workloadNameWarnings } from '../core/pod-warnings'

export interface WorkloadSpec {
  replicas?: number
  minReadySeconds?: number
  revisionHistoryLimit?: number
  progressDeadlineSeconds?: number
  podManagementPolicy?: string
  selector?: LabelSelectorObject
  template?: PodTemplate
  strategy?: Rollout
  updateStrategy?: Rollout
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string }
  ordinals?: { start?: number }
}

export interface Rollout {
  type?: string
  rollingUpdate?: { maxUnavailable?: Amount; maxSurge?: Amount; partition?: number }
}

export interface Workload extends KubeObject {
  spec?: WorkloadSpec
  status?: Record<string, unknown>
}

/** @param kind in messages: replica sets are deployments */
export function requiredSelectorErrors(
  selector: LabelSelectorObject | undefined,
  kind: string,
): FieldError[] {
  return selector ? presentSelectorErrors(selector, kind) : [required('spec.selector')]
}

function presentSelectorErrors(
  selector: LabelSelectorObject | undefined,
  kind: string,
): FieldError[] {
  return [...labelSelectorErrors(selector, 'spec.selector'), ...emptySelectorErrors(selector, kind)]
}

export function emptySelectorErrors(
  selector: LabelSelectorObject | undefined,
  kind: string,
): FieldError[] {
  return selector && isEmpty(selector)
    ? [invalidSelector('spec.selector', selector, `empty selector is invalid for ${kind}`)]
    : []
}

const isEmpty = ({ matchLabels, matchExpressions }: LabelSelectorObject): boolean =>
  Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0

/** An invalid selector is not compared with labels. */
export const isUsable = (selector: LabelSelectorObject | undefined): boolean =>
  labelSelectorErrors(selector, '').length === 0

const MISMATCH = '`selector` does not match template `labels`'

/** Absent matches nothing, empty everything. */
export function selects(
  selector: LabelSelectorObject | undefined,
  template: PodTemplate | undefined,
): boolean {
  if (!selector) return false
  return matchesLabels(
    selectorOf(selector as Parameters<typeof selectorOf>[0]) ?? [],
    template?.metadata?.labels ?? {},
  )
}

export function mismatchErrors(
  template: PodTemplate | undefined,
  matches: boolean,
  path = 'spec.template',
): FieldError[] {
  if (matches) return []
  const { metadata } = template ?? {}
  const labels =
    metadata?.labels ?? (metadata && isExplicitEmpty(metadata, 'labels') ? {} : undefined)
  return [invalidMap(`${path}.metadata.labels`, labels, MISMATCH)]
}

export function longRunningErrors(template: PodTemplate | undefined, kind: string): FieldError[] {
  const { restartPolicy, activeDeadlineSeconds } = template?.spec ?? {}
  const path = 'spec.template.spec'
  const errors =
    restartPolicy === 'Always'
      ? []
      : [notSupported(`${path}.restartPolicy`, restartPolicy ?? '', ['Always'])]
  if (typeof activeDeadlineSeconds === 'number')
    errors.push(
      forbiddenField(
        `${path}.activeDeadlineSeconds`,
        `activeDeadlineSeconds in ${kind} is not Supported`,
      ),
    )
  return errors
}

export function replicaTemplateErrors(
  { selector, template }: WorkloadSpec,
  options: PodValidationOptions,
): FieldError[] {
  if (!isUsable(selector))
    return [invalidSelector('spec.selector', selector, 'invalid label selector')]
  return [
    ...mismatchErrors(template, selects(selector, template)),
    ...podTemplateErrors(template, 'spec.template', options),
    ...longRunningErrors(template, 'ReplicaSet'),
  ]
}

export function immutableSelectorErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [selector, before] = [(object as Workload).spec?.selector, (old as Workload).spec?.selector]
  return equalJson(selector, before)
    ? []
    : [invalidSelector('spec.selector', selector, 'field is immutable')]
}

export const spec = (object: KubeObject): WorkloadSpec => (object as Workload).spec ?? {}

export const templateOnCreate = (object: KubeObject, { engine }: StrategyContext): string[] => [
  ...workloadNameWarnings(object.metadata.name),
  ...templateWarnings(spec(object).template, 'spec.template', engine.tables.changes),
]

/** Without a change of the spec there are no warnings. */
export function templateOnUpdate(
  object: KubeObject,
  old: KubeObject,
  { engine }: StrategyContext,
): string[] {
  return object.metadata.generation === old.metadata.generation
    ? []
    : templateWarnings(spec(object).template, 'spec.template', engine.tables.changes)
}

export interface StatusRules {
  counts: readonly string[]
  /** `[smaller, larger, name in messages]` */
  within: readonly (readonly [string, string, string])[]
}

export function statusErrors(object: KubeObject, { counts, within }: StatusRules): FieldError[] {
  const status = (object as Workload).status ?? {}
  const count = (name: string) => (typeof status[name] === 'number' ? (status[name] as number) : 0)
  return [
    ...counts.flatMap((name) => notNegative(`status.${name}`, count(name))),
    ...within.flatMap(([small, large, shown]) =>
      count(small) > count(large)
        ? [invalidValue(`status.${small}`, count(small), `cannot be greater than ${shown}`)]
        : [],
    ),
  ]
}

/** A removed count prints as zero, but counts as less. */
export function collisionErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const count = ({ status }: Workload) =>
    typeof status?.collisionCount === 'number' ? status.collisionCount : undefined
  const [now, before] = [count(object as Workload), count(old as Workload)]
  if (before === undefined || (now !== undefined && now >= before)) return []
  return [invalidValue('status.collisionCount', now ?? 0, 'cannot be decremented')]
}

export const keepSpec = (object: KubeObject, old: KubeObject): void => {
  object.spec = old.spec
}
