/**
 * Defaults of requests from limits. k8s.io/kubernetes, pkg/apis/core/v1/defaults.go,
 * `defaultPodRequests`.
 */

import { podLimits, podRequests } from '../../admission/pod-resources'
import { setMember } from '../../core/object'
import { isPodLevelResource } from '../../validation/pod-qos'
import type { ResourceAmounts } from '../../validation/pods'
import { allowsOvercommit, isHugePages } from '../../validation/resource-names'
import type { PodSpec } from './pod-types'

/** Resources of a pod that states some: from its containers, and requests from its limits. */
export function defaultPodResources(spec: PodSpec): void {
  const { resources } = spec
  if (!resources) return
  const given = [resources.requests, resources.limits]
  if (given.every((amounts) => Object.keys(amounts ?? {}).length === 0)) return
  const limits = complete(resources.limits, podLimits(spec), (name) => {
    const isRequested = Object.hasOwn(resources.requests ?? {}, name)
    return isHugePages(name) && !isRequested
  })
  if (Object.keys(limits).length === 0) return
  resources.limits = limits
  const requests = complete(resources.requests, podRequests(spec), allowsOvercommit)
  resources.requests = complete(requests, limits, () => true)
}

function complete(
  given: ResourceAmounts | undefined,
  others: ResourceAmounts,
  applies: (name: string) => boolean,
): Record<string, string> {
  const all = { ...given } as Record<string, string>
  for (const [name, amount] of Object.entries(others))
    if (isPodLevelResource(name) && applies(name) && !Object.hasOwn(all, name))
      setMember(all, name, String(amount))
  return all
}
