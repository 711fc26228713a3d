/** Rules of Jobs. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { entryOf, equalJson, isJsonObject, type JsonObject, setMember } from '../../core/object'
import type { FieldError } from '../../http/status'
import { MAX_GENERATED_PREFIX } from '../../registry/create'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import type { ReleaseTables } from '../../release-tables/tables'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { matchesLabels, selectorOf } from '../../selectors/labels'
import { invalidValue, required } from '../../validation/field-errors'
import { invalidMap, invalidStructure, typeNamed } from '../../validation/go-literal'
import { invalidSelector, labelSelectorErrors } from '../../validation/label-selectors'
import { dnsLabelProblems } from '../../validation/names'
import { isUsable, mismatchErrors, selects } from '../apps/workload-rules'
import { defaultTemplate } from '../core/pod-defaults'
import { dropGatedPodMembers } from '../core/pod-gates'
import type { PodTemplate } from '../core/pod-types'
import {
  type PodValidationOptions,
  podValidationOptions,
  templateOptions,
} from '../core/pod-validation/options'
import { workloadNameWarnings } from '../core/pod-warnings'
import { jobStatusErrors } from './job-status'
import type { Job, JobSpec } from './job-types'
import { jobSpecErrors, jobSpecWarnings } from './job-validation'

const ORPHANS =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'
const MAX_INT32 = 2147483647

const CONTROLLER_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid']
const NAME_LABELS = ['job-name', 'batch.kubernetes.io/job-name']
const SELECTED_LABEL = 'batch.kubernetes.io/controller-uid'

export const jobStrategy: Strategy = {
  generationFields: ['spec'],
  serverOwned: ['status'],
  defaultPropagation: 'Orphan',
  defaultPropagationWarning: ORPHANS,
  behindGates: ({ JobPodReplacementPolicy }) => ({
    defaults(object) {
      defaultJob(object as Job)
      const { spec } = object as Job
      if (JobPodReplacementPolicy && spec)
        spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'
    },
  }),
  prepareForCreate(object, { engine }) {
    const job = object as Job
    job.status = {}
    dropGatedPolicies(engine, job.spec ?? {})
    dropGatedJobMembers(engine, job.spec)
    if (job.spec?.manualSelector !== true) generateSelector(job)
    separateLabels(job)
  },
  prepareForUpdate(object, old, { engine }) {
    separateLabels(object as Job)
    dropGatedPolicies(engine, (object as Job).spec ?? {}, (old as Job).spec ?? {})
    dropGatedJobMembers(engine, (object as Job).spec, (old as Job).spec)
  },
  validate(object, { engine }) {
    const job = object as Job
    return [
      ...generatedSelectorErrors(job),
      ...specErrors(job.spec ?? {}, podValidationOptions(engine)),
      ...podNameErrors(job),
    ]
  },
  /** If stored without labels, a job has those of its template. */
  canonicalize({ metadata, spec }) {
    const labels = (spec as JobSpec | undefined)?.template?.metadata?.labels
    if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels }
  },
  /** The server generates all labels then. */
  filledOnReading({ metadata: { labels = {} } }) {
    const names = Object.keys(labels)
    return (
      names.length > 0 &&
      names.every((name) => CONTROLLER_LABELS.includes(name) || NAME_LABELS.includes(name))
    )
  },
  validateUpdate: (object, old, { engine }) =>
    changeErrors(object as Job, old as Job, templateOptions(engine, old), engine.tables),
  warningsOnCreate: (object, { engine }) => [
    ...workloadNameWarnings(object.metadata.name),
    ...jobSpecWarnings((object as Job).spec, 'spec', engine.tables.changes),
  ],
  warningsOnUpdate: (object, old, { engine }) =>
    object.metadata.generation === old.metadata.generation
      ? []
      : jobSpecWarnings((object as Job).spec, 'spec', engine.tables.changes),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object, old, { engine }) =>
      jobStatusErrors(object as Job, old as Job, engine.featureGates),
  },
}

function specErrors(spec: JobSpec, options: PodValidationOptions): FieldError[] {
  const { selector, template } = spec
  return [
    ...jobSpecErrors(spec, 'spec', options),
    ...(selector ? labelSelectorErrors(selector, 'spec.selector') : [required('spec.selector')]),
    ...mismatchErrors(template, !isUsable(selector) || selects(selector, template)),
  ]
}

function defaultJob(job: Job): void {
  job.spec ??= {}
  const { spec } = job
  if (!isJsonObject(spec.template as JsonObject)) spec.template = {}
  defaultTemplate(spec.template)
  if (typeof spec.parallelism !== 'number') {
    spec.parallelism = 1
    if (typeof spec.completions !== 'number') spec.completions = 1
  }
  spec.backoffLimit ??= typeof spec.backoffLimitPerIndex === 'number' ? MAX_INT32 : 6
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  spec.manualSelector ??= false
  defaultFailurePolicy(spec)
  const labels = spec.template?.metadata?.labels
  if (
    labels &&
    Object.keys(labels).length > 0 &&
    Object.keys(job.metadata.labels ?? {}).length === 0
  ) {
    // Until a write, the shared map marks defaulted labels.
    job.metadata.labels = labels
  }
}

/** Until 1.34 only Jobs have this default. */
export function defaultFailurePolicy({ podFailurePolicy }: JobSpec): void {
  for (const { onPodConditions } of podFailurePolicy?.rules ?? [])
    for (const condition of onPodConditions ?? []) condition.status ||= 'True'
}

export function dropGatedJobMembers(
  engine: StrategyEngine,
  spec: JobSpec | undefined,
  old?: JobSpec,
): void {
  if (!spec) return
  dropGatedPodMembers(engine, spec.template?.spec, old?.template?.spec)
}

/** Other rules restrict updates of `newAlone` members. */
const GATED: { gate: string; member: keyof JobSpec; newAlone?: boolean }[] = [
  { gate: 'JobManagedBy', member: 'managedBy', newAlone: true },
  { gate: 'JobSuccessPolicy', member: 'successPolicy' },
  { gate: 'JobBackoffLimitPerIndex', member: 'backoffLimitPerIndex' },
  { gate: 'JobBackoffLimitPerIndex', member: 'maxFailedIndexes' },
  { gate: 'JobPodReplacementPolicy', member: 'podReplacementPolicy' },
  { gate: 'WorkloadWithJob', member: 'scheduling' },
]

/** Not for cron jobs. Compared with kube-apiserver 1.31. */
function dropGatedPolicies({ featureGates }: StrategyEngine, spec: JobSpec, old?: JobSpec): void {
  for (const { gate, member, newAlone } of GATED) {
    if (entryOf(featureGates, gate) === true || spec[member] === undefined) continue
    if (old === undefined || (!newAlone && old[member] === undefined)) delete spec[member]
  }
  const policy = spec.podFailurePolicy
  // Pod failure policies are immutable: no check on update.
  if (old || featureGates.JobBackoffLimitPerIndex === true || !policy?.rules) return
  policy.rules = policy.rules.filter(({ action }) => action !== 'FailIndex')
}

const SUFFIX = 5

const isNameGenerated = ({ name = '', generateName = '' }: Job['metadata']): boolean =>
  generateName !== '' &&
  name.length > SUFFIX &&
  name.slice(0, -SUFFIX) === generateName.slice(0, MAX_GENERATED_PREFIX)

/** For the job's own uid. Defaults labels again, unless the name is generated. */
function generateSelector(job: Job): void {
  const { spec = {}, metadata } = job
  const template: PodTemplate = spec.template ?? {}
  const before = template.metadata?.labels ?? {}
  const values = new Map([
    ...CONTROLLER_LABELS.map((key) => [key, metadata.uid ?? ''] as const),
    ...NAME_LABELS.map((key) => [key, metadata.name ?? ''] as const),
  ])
  const labels = { ...Object.fromEntries(values), ...before }
  const isDefaulted = metadata.labels !== undefined && metadata.labels === template.metadata?.labels
  if (isDefaulted && !isNameGenerated(metadata)) metadata.labels = { ...labels }
  template.metadata = { ...template.metadata, labels }
  spec.template = template
  const matchLabels = { [SELECTED_LABEL]: metadata.uid ?? '', ...spec.selector?.matchLabels }
  spec.selector = { ...spec.selector, matchLabels }
  job.spec = spec
}

function separateLabels({ metadata, spec }: Job): void {
  const { labels } = metadata
  if (labels !== undefined && labels === spec?.template?.metadata?.labels)
    metadata.labels = { ...labels }
}

function generatedSelectorErrors({ spec = {}, metadata }: Job): FieldError[] {
  const { selector, template } = spec
  if (spec.manualSelector === true || !selector) return []
  const expected: Record<string, string> = {}
  for (const key of CONTROLLER_LABELS) setMember(expected, key, metadata.uid ?? '')
  for (const key of NAME_LABELS) setMember(expected, key, metadata.name ?? '')
  const labels = template?.metadata?.labels
  const errors = [
    'controller-uid',
    'job-name',
    ...CONTROLLER_LABELS.slice(1),
    ...NAME_LABELS.slice(1),
  ].flatMap((key) => {
    const field = `spec.template.metadata.labels[${key}]`
    if (entryOf(labels, key) === undefined)
      return [required(field, `must be '${entryOf(expected, key)}'`)]
    return entryOf(labels, key) === entryOf(expected, key)
      ? []
      : [invalidMap(field, labels, `must be '${entryOf(expected, key)}'`)]
  })
  const matches =
    !isUsable(selector) ||
    matchesLabels(selectorOf(selector as Parameters<typeof selectorOf>[0]) ?? [], expected)
  return matches
    ? errors
    : [...errors, invalidSelector('spec.selector', selector, '`selector` not auto-generated')]
}

/** Pods have their index as suffix. */
function podNameErrors({ spec, metadata: { name = '' } }: Job): FieldError[] {
  if (spec?.completionMode !== 'Indexed' || !spec.completions || spec.completions <= 0) return []
  const last = `${name}-${spec.completions - 1}`
  if (dnsLabelProblems(last).length === 0) return []
  return [
    invalidValue(
      'metadata.name',
      name,
      `will not able to create pod with invalid DNS label: ${last}`,
    ),
  ]
}

const IMMUTABLE = 'field is immutable'

function changeErrors(
  job: Job,
  old: Job,
  options: PodValidationOptions,
  tables: ReleaseTables,
): FieldError[] {
  const [spec, before] = [job.spec ?? {}, old.spec ?? {}]
  // Updates validate the whole spec.
  const errors = [...specErrors(spec, options), ...completionErrors(spec, before)]
  if (!equalJson(spec.selector, before.selector))
    errors.push(invalidSelector('spec.selector', spec.selector, IMMUTABLE))
  append(errors, templateChangeErrors(spec, templateAsAllowed(job, old), tables))
  const fixed = (name: 'completionMode' | 'backoffLimitPerIndex' | 'managedBy') => {
    if (spec[name] !== before[name])
      errors.push(invalidValue(`spec.${name}`, spec[name], IMMUTABLE))
  }
  const fixedPolicy = (name: 'podFailurePolicy' | 'successPolicy', type: string) => {
    if (semanticallyEqual(typeNamed(type, tables), spec[name], before[name])) return
    errors.push(
      spec[name]
        ? invalidStructure(`spec.${name}`, type, spec[name], IMMUTABLE)
        : invalidValue(`spec.${name}`, null, IMMUTABLE),
    )
  }
  fixed('completionMode')
  fixedPolicy('podFailurePolicy', 'batch.v1.PodFailurePolicy')
  fixed('backoffLimitPerIndex')
  fixed('managedBy')
  fixedPolicy('successPolicy', 'batch.v1.SuccessPolicy')
  return errors
}

/** Indexed jobs may scale while completions equal parallelism. */
function completionErrors(spec: JobSpec, before: JobSpec): FieldError[] {
  const { completions, parallelism } = spec
  if (completions === before.completions) return []
  const field = 'spec.completions'
  if (spec.completionMode !== 'Indexed') return [invalidValue(field, completions, IMMUTABLE)]
  // Reported elsewhere.
  if (completions === undefined) return []
  return completions === parallelism
    ? []
    : [invalidValue(field, completions, 'can only be modified in tandem with spec.parallelism')]
}

/** While suspended and never started, scheduling constraints may change. */
function templateAsAllowed(job: Job, old: Job): PodTemplate {
  const before = old.spec?.template ?? {}
  if (old.spec?.suspend !== true || old.status?.startTime) return before
  const template = job.spec?.template ?? {}
  const { nodeSelector, tolerations, schedulingGates, affinity } = template.spec ?? {}
  const { labels, annotations } = template.metadata ?? {}
  const { nodeAffinity: _node, ...others } = before.spec?.affinity ?? {}
  const merged = {
    ...others,
    ...(affinity?.nodeAffinity ? { nodeAffinity: affinity.nodeAffinity } : {}),
  }
  return {
    metadata: { ...before.metadata, labels, annotations },
    spec: {
      ...before.spec,
      nodeSelector,
      tolerations,
      schedulingGates,
      affinity: affinity || Object.keys(merged).length > 0 ? merged : undefined,
    },
  } as PodTemplate
}

function templateChangeErrors(
  spec: JobSpec,
  allowed: PodTemplate,
  tables: ReleaseTables,
): FieldError[] {
  const template = spec.template ?? {}
  if (semanticallyEqual(typeNamed('PodTemplateSpec', tables), template, allowed)) return []
  return [invalidStructure('spec.template', 'PodTemplateSpec', template, IMMUTABLE)]
}
