/**
 * Computes the quality of service class of a Pod. See kubernetes.io, "Pod Quality of Service
 * Classes".
 */
import { entryOf, isJsonObject, type Json } from '../core/object'
import { compareQuantities, parseQuantity } from '../schema/quantity'

const COUNTED = ['cpu', 'memory']

export const isPodLevelResource = (name: string): boolean =>
  COUNTED.includes(name) || name.startsWith('hugepages-')

/** Of the pod as a whole (KEP-2837). */
function hasPodLevelResources(resources: Json | undefined): boolean {
  if (!isJsonObject(resources)) return false
  const { requests, limits } = resources
  return [requests, limits].some(
    (amounts) => isJsonObject(amounts) && Object.keys(amounts).some(isPodLevelResource),
  )
}

/** @param spec with defaults */
export function qosClassOf(spec: {
  resources?: unknown
  containers?: unknown
  initContainers?: unknown
}): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  let anything = false
  let guaranteed = true
  const whole = hasPodLevelResources(spec.resources as Json) ? [spec] : undefined
  for (const list of whole ? [whole] : [spec.containers, spec.initContainers]) {
    if (!Array.isArray(list)) continue
    for (const container of list) {
      if (!isJsonObject(container)) continue
      for (const name of COUNTED) {
        const request = amount(container.resources, 'requests', name)
        const limit = amount(container.resources, 'limits', name)
        if (request !== undefined || limit !== undefined) anything = true
        if (!sameAmount(request, limit)) guaranteed = false
      }
    }
  }
  return !anything ? 'BestEffort' : guaranteed ? 'Guaranteed' : 'Burstable'
}

function sameAmount(request: string | undefined, limit: string | undefined): boolean {
  if (limit === undefined || request === undefined) return false
  const [left, right] = [parseQuantity(request), parseQuantity(limit)]
  return compareQuantities(left, right) === 0
}

/** Undefined for zero. */
function amount(
  resources: Json | undefined,
  kind: 'requests' | 'limits',
  name: string,
): string | undefined {
  const list = isJsonObject(resources) ? resources[kind] : undefined
  const found = isJsonObject(list) ? entryOf(list, name) : undefined
  return (typeof found === 'string' || typeof found === 'number') &&
    !/^0+[a-zA-Z]*$/.test(String(found))
    ? String(found)
    : undefined
}
