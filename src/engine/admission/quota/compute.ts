import { entryOf } from '../../core/object'
import type { ResourceAmounts } from '../../validation/pods'
import { isExtendedResource } from '../../validation/resource-names'

export const COMPUTE = ['cpu', 'memory', 'ephemeral-storage']

/** Names are those of quotas. */
export function computeUsage(
  requests: ResourceAmounts = {},
  limits: ResourceAmounts = {},
): ResourceAmounts {
  const usage: ResourceAmounts = { pods: '1' }
  for (const name of COMPUTE) {
    const [request, limit] = [entryOf(requests, name), entryOf(limits, name)]
    if (request !== undefined)
      Object.assign(usage, { [name]: request, [`requests.${name}`]: request })
    if (limit !== undefined) usage[`limits.${name}`] = limit
  }
  for (const [name, request] of Object.entries(requests)) {
    if (name.startsWith('hugepages-'))
      Object.assign(usage, { [name]: request, [`requests.${name}`]: request })
    else if (isExtendedResource(name)) usage[`requests.${name}`] = request
  }
  return usage
}
