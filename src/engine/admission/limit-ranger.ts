import { aggregateMessage } from '../core/aggregate-message'
import { chain } from '../core/maybe-promise'
import { entryOf, type KubeObject, mergedRecords } from '../core/object'
import { type Container, type Pod, podOf, type ResourceAmounts } from '../validation/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import type { Claim } from './claims'
import { type AdmissionEnvironment, readObjects } from './environment'
import { newForbidden } from './errors'
import { type Bound, boundProblems } from './limit-bounds'
import { podLimits, podRequests } from './pod-resources'

const ANNOTATION = 'kubernetes.io/limit-ranger'

interface Limit extends Bound {
  type: string
  default?: ResourceAmounts
  defaultRequest?: ResourceAmounts
}

interface LimitRange extends KubeObject {
  spec?: { limits?: Limit[] | null }
}

export function limitRanger(environment: AdmissionEnvironment): AdmissionPlugin {
  const limitRangesFor = ({ namespace }: AdmissionAttributes) =>
    readObjects<LimitRange>(environment, `/registry/limitranges/${namespace}/`)

  return {
    name: 'LimitRanger',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods', 'pods/resize', 'persistentvolumeclaims'],
    mutate(attributes) {
      if (attributes.resource !== 'pods' || attributes.operation !== 'CREATE') return
      return chain(limitRangesFor(attributes), (ranges) => {
        for (const { spec } of ranges) fillContainers(podOf(attributes.object), spec?.limits ?? [])
      })
    },
    validate(attributes) {
      if (attributes.oldObject?.metadata.deletionTimestamp) return
      // Other updates of a pod do not change its resources.
      const { resource, subresource, operation } = attributes
      if (resource === 'pods' && operation !== 'CREATE' && subresource !== 'resize') return
      return chain(limitRangesFor(attributes), (ranges) => {
        for (const { spec } of ranges) checkLimits(attributes, spec?.limits ?? [])
      })
    },
  }
}

function checkLimits(attributes: AdmissionAttributes, limits: Limit[]): void {
  const problems =
    attributes.resource === 'pods'
      ? podProblems(podOf(attributes.object), limits)
      : claimProblems(attributes, limits)
  if (problems.length > 0) throw newForbidden(attributes, aggregateMessage(problems))
}

/** Also records the defaults in an annotation. */
function fillContainers(pod: Pod, limits: Limit[]): void {
  const forContainers = limits.filter(({ type }) => type === 'Container')
  const requests: ResourceAmounts = mergedRecords(
    forContainers.map(({ defaultRequest }) => defaultRequest),
  )
  const maximal: ResourceAmounts = mergedRecords(forContainers.map((limit) => limit.default))
  const fill = (container: Container, called: string): string[] => {
    const resources = { ...container.resources }
    const missingLimits = missingIn(resources.limits, maximal)
    const missingRequests = missingIn(resources.requests, requests)
    if (missingLimits.length > 0) resources.limits = { ...maximal, ...resources.limits }
    if (missingRequests.length > 0) resources.requests = { ...requests, ...resources.requests }
    container.resources = resources
    const done: string[] = []
    if (missingRequests.length > 0)
      done.push(`${missingRequests.join(', ')} request for ${called} ${container.name}`)
    if (missingLimits.length > 0)
      done.push(`${missingLimits.join(', ')} limit for ${called} ${container.name}`)
    return done
  }
  const done = [
    ...(pod.spec.containers ?? []).flatMap((container) => fill(container, 'container')),
    ...(pod.spec.initContainers ?? []).flatMap((container) => fill(container, 'init container')),
  ]
  if (done.length === 0) return
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${done.join('; ')}`,
  }
}

function missingIn(given: ResourceAmounts | undefined, defaults: ResourceAmounts): string[] {
  return Object.keys(defaults)
    .filter((name) => entryOf(given, name) === undefined)
    .sort()
}

function podProblems(pod: Pod, limits: Limit[]): string[] {
  return limits.flatMap((limit) => {
    if (limit.type === 'Pod')
      return boundProblems(limit, limit.type, podRequests(pod.spec), podLimits(pod.spec))
    if (limit.type !== 'Container') return []
    return [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].flatMap(
      ({ resources }) => boundProblems(limit, limit.type, resources?.requests, resources?.limits),
    )
  })
}

/** Claims have only requests, so both bounds apply to them. */
function claimProblems({ object }: AdmissionAttributes, limits: Limit[]): string[] {
  const requests = (object as Claim).spec?.resources?.requests
  return limits
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(({ type, min, max }) =>
      boundProblems({ ...(min && { min }), ...(max && { max }) }, type, requests, 'none'),
    )
}
