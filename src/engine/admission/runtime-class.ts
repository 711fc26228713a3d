/** Sets overhead and scheduling constraints of a pod's runtime class. */

import { entryOf, type KubeObject } from '../core/object'
import { serverError } from '../http/status'
import { isExplicitEmpty } from '../schema/explicit-empties'
import { compareQuantities, parseQuantity } from '../schema/quantity'
import { type PodSpec, podOf, type ResourceAmounts, type Toleration } from '../validation/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject } from './environment'
import { lookupProblem, newForbidden } from './errors'
import { mergeTolerations } from './tolerations'

interface RuntimeClass extends KubeObject {
  overhead?: { podFixed?: ResourceAmounts }
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] }
}

export function runtimeClass(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    operations: ['CREATE'],
    resources: ['pods'],
    mutate(attributes) {
      const { spec } = podOf(attributes.object)
      if (namesClass(spec)) return complete(attributes, spec)
    },
    validate(attributes) {
      const { spec } = podOf(attributes.object)
      if (namesClass(spec))
        return classOf(environment, attributes, spec).then((found) =>
          checkOverhead(attributes, spec, found),
        )
      checkOverhead(attributes, spec, undefined)
    },
  }

  async function complete(attributes: AdmissionAttributes, spec: PodSpec): Promise<void> {
    const { overhead, scheduling } = await classOf(environment, attributes, spec)
    if (overhead) {
      if (spec.overhead && !sameAmounts(spec.overhead, overhead.podFixed))
        throw newForbidden(attributes, OTHER_OVERHEAD)
      if (overhead.podFixed) spec.overhead = { ...overhead.podFixed }
    }
    if (scheduling) schedule(attributes, spec, scheduling)
  }
}

function checkOverhead(
  attributes: AdmissionAttributes,
  spec: PodSpec,
  found: RuntimeClass | undefined,
): void {
  if (found?.overhead) {
    if (!sameAmounts(spec.overhead, found.overhead.podFixed))
      throw newForbidden(attributes, OTHER_OVERHEAD)
  } else if (spec.overhead !== undefined || isExplicitEmpty(spec, 'overhead')) {
    throw newForbidden(
      attributes,
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    )
  }
}

const OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"

const namesClass = ({ runtimeClassName: name }: PodSpec): boolean =>
  name !== undefined && name !== null

async function classOf(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  { runtimeClassName: name }: PodSpec,
): Promise<RuntimeClass> {
  const found = await readObject<RuntimeClass>(environment, `/registry/runtimeclasses/${name}`)
  if (found !== undefined) return found
  const unasked = lookupProblem(name ?? '')
  if (unasked !== undefined) throw serverError(unasked)
  throw newForbidden(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`)
}

function sameAmounts(a: ResourceAmounts = {}, b: ResourceAmounts = {}): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => {
    const other = entryOf(b, name)
    return (
      other !== undefined &&
      compareQuantities(parseQuantity(String(entryOf(a, name))), parseQuantity(other)) === 0
    )
  })
}

function schedule(
  attributes: AdmissionAttributes,
  spec: PodSpec,
  { nodeSelector = {}, tolerations = [] }: NonNullable<RuntimeClass['scheduling']>,
): void {
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = entryOf(spec.nodeSelector, key)
    if (own === undefined || own === value) continue
    throw newForbidden(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
    )
  }
  if (Object.keys(nodeSelector).length > 0)
    spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector }
  if (tolerations.length > 0 || spec.tolerations)
    spec.tolerations = mergeTolerations(spec.tolerations ?? [], tolerations)
}
