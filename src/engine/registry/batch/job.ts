/** Jobs: they find their pods by labels of the server's making, and hardly change (rules and texts recorded). */

import type { Engine } from '../../engine'
import type { FieldError } from '../../http/status'
import { append } from '../../lists'
import { entryOf, equalJson, isJsonObject, type JsonObject, setMember } from '../../object'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { matchesLabels, selectorOf } from '../../selectors/labels'
import { isUsable, mismatchErrors, selects } from '../apps/workload-rules'
import { defaultTemplate } from '../core/pod-defaults'
import { dropGatedPodMembers } from '../core/pod-gates'
import type { PodTemplate } from '../core/pod-types'
import { workloadNameWarnings } from '../core/pod-warnings'
import { MAX_GENERATED_PREFIX } from '../create'
import { invalidValue, required } from '../field-errors'
import { invalidMap, invalidStructure, typeNamed } from '../rules/go-literal'
import { invalidSelector, labelSelectorErrors } from '../rules/label-selectors'
import { dnsLabelProblems } from '../rules/names'
import type { Strategy } from '../strategy'
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
  },
  prepareForUpdate(object, old, { engine }) {
    dropGatedPolicies(engine, (object as Job).spec ?? {}, (old as Job).spec ?? {})
    dropGatedJobMembers(engine, (object as Job).spec, (old as Job).spec)
  },
  validate(object) {
    const job = object as Job
    return [...generatedSelectorErrors(job), ...specErrors(job.spec ?? {}), ...podNameErrors(job)]
  },
  /** Read back, a job without labels has those of its template. */
  canonicalize({ metadata, spec }) {
    const labels = (spec as JobSpec | undefined)?.template?.metadata?.labels
    if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels }
  },
  /** Then its labels are all of the server's making. */
  filledOnReading({ metadata: { labels = {} } }) {
    const names = Object.keys(labels)
    return (
      names.length > 0 &&
      names.every((name) => CONTROLLER_LABELS.includes(name) || NAME_LABELS.includes(name))
    )
  },
  validateUpdate: (object, old) => changeErrors(object as Job, old as Job),
  warningsOnCreate: (object) => [
    ...workloadNameWarnings(object.metadata.name),
    ...jobSpecWarnings((object as Job).spec, 'spec'),
  ],
  warningsOnUpdate: (object, old) =>
    object.metadata.generation === old.metadata.generation
      ? []
      : jobSpecWarnings((object as Job).spec, 'spec'),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object, old, { engine }) =>
      jobStatusErrors(object as Job, old as Job, engine.featureGates),
  },
}

function specErrors(spec: JobSpec): FieldError[] {
  const { selector, template } = spec
  return [
    ...jobSpecErrors(spec, 'spec'),
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
    job.metadata.labels = { ...labels }
    taken.add(job.metadata.labels)
  }
}

/** The real server registers this default for Job alone: a CronJob has to state the status (reports-d01/cronjob-condition-without-status). */
function defaultFailurePolicy({ podFailurePolicy }: JobSpec): void {
  for (const { onPodConditions } of podFailurePolicy?.rules ?? [])
    for (const condition of onPodConditions ?? []) condition.status ||= 'True'
}

/** Members of a job's template that wait for their feature gates. */
export function dropGatedJobMembers(
  engine: Engine,
  spec: JobSpec | undefined,
  old?: JobSpec,
): void {
  if (!spec) return
  dropGatedPodMembers(engine, spec.template?.spec, old?.template?.spec)
}

/** Members of jobs and their feature gates. Those of new jobs alone can always be set in updates, where other rules stand before them. */
const GATED: { gate: string; member: keyof JobSpec; newAlone?: boolean }[] = [
  { gate: 'JobManagedBy', member: 'managedBy', newAlone: true },
  { gate: 'JobSuccessPolicy', member: 'successPolicy' },
  { gate: 'JobBackoffLimitPerIndex', member: 'backoffLimitPerIndex' },
  { gate: 'JobBackoffLimitPerIndex', member: 'maxFailedIndexes' },
  { gate: 'JobPodReplacementPolicy', member: 'podReplacementPolicy' },
]

/** How a job goes on and ends: what waits for a feature gate. Templates of cron jobs keep it (asked of the real server). */
function dropGatedPolicies({ featureGates }: Engine, spec: JobSpec, old?: JobSpec): void {
  for (const { gate, member, newAlone } of GATED) {
    if (entryOf(featureGates, gate) === true || spec[member] === undefined) continue
    if (old === undefined || (!newAlone && old[member] === undefined)) delete spec[member]
  }
  const policy = spec.podFailurePolicy
  // What becomes of failures never changes, so updates need not be looked at.
  if (old || featureGates.JobBackoffLimitPerIndex === true || !policy?.rules) return
  policy.rules = policy.rules.filter(({ action }) => action !== 'FailIndex')
}

/** Labels of jobs that had none and took those of their template: they stay the same ones until the job is stored (recorded). */
const taken = new WeakSet<object>()

const SUFFIX = 5

/** Whether the server completed the name. */
const isNameGenerated = ({ name = '', generateName = '' }: Job['metadata']): boolean =>
  generateName !== '' &&
  name.length > SUFFIX &&
  name.slice(0, -SUFFIX) === generateName.slice(0, MAX_GENERATED_PREFIX)

/** The job finds its pods by its own uid. Labels that were taken of the template become so again, unless the name is generated (recorded). */
function generateSelector(job: Job): void {
  const { spec = {}, metadata } = job
  const template: PodTemplate = spec.template ?? {}
  const before = template.metadata?.labels ?? {}
  const values = new Map([
    ...CONTROLLER_LABELS.map((key) => [key, metadata.uid ?? ''] as const),
    ...NAME_LABELS.map((key) => [key, metadata.name ?? ''] as const),
  ])
  const labels = { ...Object.fromEntries(values), ...before }
  if (metadata.labels !== undefined && taken.has(metadata.labels) && !isNameGenerated(metadata))
    metadata.labels = { ...labels }
  template.metadata = { ...template.metadata, labels }
  spec.template = template
  const matchLabels = { [SELECTED_LABEL]: metadata.uid ?? '', ...spec.selector?.matchLabels }
  spec.selector = { ...spec.selector, matchLabels }
  job.spec = spec
}

/** A selector of the server's making was not tampered with. */
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

/** Pods of indexed jobs are named by their index. */
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

function changeErrors(job: Job, old: Job): FieldError[] {
  const [spec, before] = [job.spec ?? {}, old.spec ?? {}]
  // An update goes over the whole spec once more.
  const errors = [...specErrors(spec), ...completionErrors(spec, before)]
  if (!equalJson(spec.selector, before.selector))
    errors.push(invalidSelector('spec.selector', spec.selector, IMMUTABLE))
  append(errors, templateChangeErrors(spec, templateAsAllowed(job, old)))
  const fixed = (name: 'completionMode' | 'backoffLimitPerIndex' | 'managedBy') => {
    if (spec[name] !== before[name])
      errors.push(invalidValue(`spec.${name}`, spec[name] ?? 'null', IMMUTABLE))
  }
  const fixedPolicy = (name: 'podFailurePolicy' | 'successPolicy', type: string) => {
    if (semanticallyEqual(typeNamed(type), spec[name], before[name])) return
    errors.push(
      spec[name]
        ? invalidStructure(`spec.${name}`, type, spec[name], IMMUTABLE)
        : invalidValue(`spec.${name}`, 'null', IMMUTABLE),
    )
  }
  fixed('completionMode')
  fixedPolicy('podFailurePolicy', 'batch.v1.PodFailurePolicy')
  fixed('backoffLimitPerIndex')
  fixed('managedBy')
  fixedPolicy('successPolicy', 'batch.v1.SuccessPolicy')
  return errors
}

/** An indexed job may grow and shrink as long as all its pods may run at once. */
function completionErrors(spec: JobSpec, before: JobSpec): FieldError[] {
  const { completions, parallelism } = spec
  if (completions === before.completions) return []
  const field = 'spec.completions'
  if (spec.completionMode !== 'Indexed')
    return [invalidValue(field, completions ?? 'null', IMMUTABLE)]
  // That an indexed job needs them is told elsewhere, and enough (recorded).
  if (completions === undefined) return []
  return completions === parallelism
    ? []
    : [invalidValue(field, completions, 'can only be modified in tandem with spec.parallelism')]
}

/** A suspended job that never ran may be told where its pods are to run. */
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

function templateChangeErrors(spec: JobSpec, allowed: PodTemplate): FieldError[] {
  const template = spec.template ?? {}
  if (semanticallyEqual(typeNamed('PodTemplateSpec'), template, allowed)) return []
  return [invalidStructure('spec.template', 'PodTemplateSpec', template, IMMUTABLE)]
}
