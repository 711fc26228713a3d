/**
 * See kubernetes.io, "Resize CPU and Memory Resources assigned to Containers"; `ValidatePodResize`
 * of k8s.io/kubernetes, pkg/apis/core/validation.
 */

import { append } from '../../core/lists'
import { entryOf, type Json, type KubeObject, setMember } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import { canonicalValue } from '../../schema/canonical'
import { compareQuantities, parseQuantity } from '../../schema/quantity'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { forbiddenField, invalidValue } from '../../validation/field-errors'
import { typeNamed } from '../../validation/go-literal'
import { qosClassOf } from '../../validation/pod-qos'
import { MIRROR_ANNOTATION } from '../../validation/pods'
import { dropGatedPodMembers, withoutGatedStatus } from './pod-gates'
import type { Container, Pod, PodSpec, Resources } from './pod-types'
import { podValidationOptions } from './pod-validation/options'
import { podErrors } from './pod-validation/template'

const LISTS = ['containers', 'initContainers'] as const
/** From the request. */
const RESIZED = ['resources', 'resizePolicy'] as const

export const resizeStrategy: NonNullable<Strategy['status']> = {
  prepareForUpdate(object: KubeObject, old, { engine }) {
    const [pod, stored] = [object as Pod, old as Pod]
    const [now, before] = [pod.spec ?? {}, stored.spec ?? {}]
    // Validation rejects another number of containers.
    if (LISTS.some((list) => (now[list]?.length ?? 0) !== (before[list]?.length ?? 0))) return
    pod.metadata = keptMetadata(pod, stored)
    pod.spec = resizedSpec(now, before, engine)
    dropGatedPodMembers(engine, pod.spec, before)
    if (stored.status) pod.status = withoutGatedStatus(stored.status, engine.featureGates)
    else delete pod.status
    const type = typeNamed('PodSpec', engine.tables)
    if (!semanticallyEqual(type, canonicalValue(type, pod.spec as Json, 'stored'), before))
      pod.metadata.generation = (stored.metadata.generation ?? 0) + 1
  },
  validateUpdate(object, old, { engine }) {
    const [pod, stored] = [object as Pod, old as Pod]
    // `[]` is kube-apiserver's path.
    if (stored.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined)
      return [forbiddenField('[]', 'static pods cannot be resized')]
    if (stored.spec?.os?.name === 'windows')
      return [forbiddenField('[]', 'windows pods cannot be resized')]
    const errors = [
      ...podErrors(pod, podValidationOptions(engine, stored)),
      ...resizeErrors(pod, stored, engine),
    ]
    return errors.length > 0 ? errors : otherChangeErrors(pod, stored, engine)
  },
}

/** Only these are the request's. */
function keptMetadata({ metadata }: Pod, stored: Pod): Pod['metadata'] {
  const { name, namespace, resourceVersion, uid, managedFields } = metadata
  const given = { name, namespace, resourceVersion, uid, managedFields }
  return {
    ...stored.metadata,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
}

function resizedSpec(now: PodSpec, before: PodSpec, { featureGates }: StrategyEngine): PodSpec {
  const spec: PodSpec = { ...before }
  for (const list of LISTS) {
    const [given, known] = [now[list] ?? [], before[list] ?? []]
    if (known.length === 0) continue
    // Validation rejects renamed and reordered containers.
    spec[list] = given.every(({ name }, i) => name === known[i]?.name)
      ? known.map((container, i) => resizedContainer(container, given[i]))
      : given
  }
  if (featureGates.InPlacePodLevelResourcesVerticalScaling) {
    if (now.resources) spec.resources = now.resources
    else delete spec.resources
  }
  return spec
}

function resizedContainer(known: Container, given: Container | undefined): Container {
  const container: Container & Record<string, unknown> = { ...known }
  for (const member of RESIZED) {
    if (given?.[member] === undefined) delete container[member]
    else container[member] = given[member] as never
  }
  return container
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always'

function resizeErrors(pod: Pod, old: Pod, engine: StrategyEngine): FieldError[] {
  const [now, before] = [pod.spec ?? {}, old.spec ?? {}]
  for (const list of LISTS)
    if ((now[list]?.length ?? 0) !== (before[list]?.length ?? 0))
      return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)]
  const errors: FieldError[] = []
  if (qosClassOf(now) !== (old.status?.qosClass || qosClassOf(before)))
    errors.push(
      invalidValue(
        'spec',
        pod.status?.qosClass ?? '',
        'Pod QOS Class may not change as a result of resizing',
      ),
    )
  const running = old.status?.containerStatuses?.find(({ state }) => state?.running)
  if (running && running.resources === undefined)
    errors.push(forbiddenField('spec', 'Pod running on node without support for resize'))
  for (const list of LISTS)
    for (const [i, container] of (now[list] ?? []).entries())
      append(
        errors,
        containerErrors(container, before[list]?.[i] ?? {}, `spec.${list}[${i}]`, list, engine),
      )
  return errors
}

function containerErrors(
  container: Container,
  old: Container,
  path: string,
  list: (typeof LISTS)[number],
  { tables }: StrategyEngine,
): FieldError[] {
  if (container.name !== old.name)
    return [forbiddenField(`${path}.name`, `${list} may not be renamed or reordered on resize`)]
  const [now, before] = [container.resources ?? {}, old.resources ?? {}]
  if (list === 'initContainers' && !isSidecar(old))
    return semanticallyEqual(typeNamed('ResourceRequirements', tables), now as Json, before as Json)
      ? []
      : [
          forbiddenField(
            `${path}.resources`,
            'resources for non-sidecar init containers are immutable',
          ),
        ]
  const errors: FieldError[] = []
  for (const kind of ['requests', 'limits'] as const)
    if (Object.keys(before[kind] ?? {}).some((name) => entryOf(now[kind], name) === undefined))
      errors.push(forbiddenField(`${path}.resources.${kind}`, `resource ${kind} cannot be removed`))
  if (
    !tables.changes.has('MemoryLimitsDecrease') &&
    lowersMemory(now, before) &&
    memoryPolicy(container) !== 'RestartContainer'
  )
    errors.push(
      forbiddenField(
        `${path}.resources.limits`,
        'memory limits cannot be decreased unless resizePolicy is RestartContainer',
      ),
    )
  return errors
}

function lowersMemory(now: Resources, before: Resources): boolean {
  const [limit, old] = [now.limits?.memory, before.limits?.memory]
  return (
    limit !== undefined &&
    old !== undefined &&
    compareQuantities(parseQuantity(String(limit)), parseQuantity(String(old))) < 0
  )
}

const memoryPolicy = ({ resizePolicy }: Container): Json | undefined =>
  (resizePolicy ?? []).find(({ resourceName }) => resourceName === 'memory')?.restartPolicy

function otherChangeErrors(pod: Pod, old: Pod, { tables }: StrategyEngine): FieldError[] {
  const [now, before] = [pod.spec ?? {}, old.spec ?? {}]
  const rest: PodSpec = { ...now }
  for (const list of LISTS)
    if (now[list])
      rest[list] = now[list].map((container, i) => withOldAmounts(container, before[list]?.[i]))
  if (now.resources !== undefined && before.resources !== undefined)
    rest.resources = withOld(now.resources, before.resources)
  const type = typeNamed('PodSpec', tables)
  return semanticallyEqual(type, canonicalValue(type, rest as Json, 'stored'), before)
    ? []
    : [forbiddenField('spec', 'only cpu and memory resources are mutable')]
}

/** Resets cpu and memory. */
function withOldAmounts(container: Container, old: Container = {}): Container {
  return { ...container, resources: withOld(container.resources ?? {}, old.resources ?? {}) }
}

/** Missing old amounts count as unchanged, missing old claims as changed. */
function withOld(now: Resources, old: Resources): Resources {
  const rest: Resources = {}
  for (const kind of ['requests', 'limits'] as const) {
    const before = old[kind]
    if (before === undefined) continue
    const amounts: Record<string, string> = { ...now[kind] }
    for (const name of ['cpu', 'memory']) {
      const amount = entryOf(before, name)
      if (amount === undefined) delete amounts[name]
      else setMember(amounts, name, amount)
    }
    rest[kind] = amounts
  }
  return rest
}
