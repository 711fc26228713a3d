/** Sets a pod's priority from its class, and allows only one default class. */
import { chain, type MaybePromise } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import { type Pod, type PodSpec, podOf } from '../validation/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject, readObjects } from './environment'
import { newForbidden } from './errors'

interface PriorityClass extends KubeObject {
  value?: number
  globalDefault?: boolean
  preemptionPolicy?: string
}

const CLASSES = '/registry/priorityclasses/'

export function priority(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    resources: ['pods', 'priorityclasses.scheduling.k8s.io'],
    mutate(attributes) {
      if (attributes.resource !== 'pods') return
      if (attributes.operation === 'UPDATE')
        keep(podOf(attributes.object).spec, (attributes.oldObject as Pod).spec)
      if (attributes.operation === 'CREATE') return assign(environment, attributes)
    },
    validate(attributes) {
      if (attributes.resource === 'pods' || attributes.operation === 'DELETE') return
      return checkOnlyDefault(environment, attributes)
    },
  }
}

function keep(spec: PodSpec, old: PodSpec): void {
  if (old.priority !== undefined) spec.priority ??= old.priority
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy
}

function assign(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
): MaybePromise<void> {
  const wanted = podOf(attributes.object).spec.priorityClassName
  const found = wanted
    ? readObject<PriorityClass>(environment, CLASSES + wanted)
    : defaultClass(environment)
  return chain(found, (priorityClass) => assignFrom(priorityClass, attributes))
}

/** @param found the class that the pod names, or the default @throws ApiError 403 */
function assignFrom(found: PriorityClass | undefined, attributes: AdmissionAttributes): void {
  const { spec } = podOf(attributes.object)
  const wanted = spec.priorityClassName
  if (wanted && found === undefined)
    throw newForbidden(attributes, `no PriorityClass with name ${wanted} was found`)
  const computed = found?.value ?? 0
  const policy = found === undefined ? 'PreemptLowerPriority' : found.preemptionPolicy
  if (found !== undefined) spec.priorityClassName = found.metadata.name ?? ''
  if (typeof spec.priority === 'number' && spec.priority !== computed) {
    throw newForbidden(
      attributes,
      contradiction('integer value of priority', spec.priority, computed),
    )
  }
  spec.priority = computed
  if (policy === undefined) return
  if (spec.preemptionPolicy && spec.preemptionPolicy !== policy) {
    throw newForbidden(
      attributes,
      contradiction('string value of PreemptionPolicy', spec.preemptionPolicy, policy),
    )
  }
  spec.preemptionPolicy = policy
}

function contradiction(what: string, given: number | string, computed: number | string): string {
  return `the ${what} (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`
}

/** The smallest of several defaults, so that no pod gets too high a priority. */
function defaultClass(environment: AdmissionEnvironment): MaybePromise<PriorityClass | undefined> {
  return chain(readObjects<PriorityClass>(environment, CLASSES), (classes) => {
    const defaults = classes.filter(({ globalDefault }) => globalDefault)
    return defaults.sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0]
  })
}

async function checkOnlyDefault(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
): Promise<void> {
  const written = attributes.object as PriorityClass
  if (!written.globalDefault) return
  const present = await defaultClass(environment)
  if (
    present === undefined ||
    (attributes.operation === 'UPDATE' && present.metadata.name === written.metadata.name)
  )
    return
  throw newForbidden(
    attributes,
    `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`,
  )
}
