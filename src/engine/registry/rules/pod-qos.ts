/** Quality of service: Guaranteed when every container limits what it requests, BestEffort when none says anything. */
import { isJsonObject, type JsonObject } from '../../object'
import { compareQuantities, parseQuantity } from '../../schema/quantity'

const COUNTED = ['cpu', 'memory']

/** @param spec a pod's spec, defaulted */
export function qosClassOf(spec: { containers?: unknown; initContainers?: unknown }): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [spec.containers, spec.initContainers].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []))
  let anything = false
  let guaranteed = true
  for (const { resources } of containers) {
    const requests = amounts(resources, 'requests')
    const limits = amounts(resources, 'limits')
    if (requests.size > 0 || limits.size > 0) anything = true
    if (!COUNTED.every((name) => sameAmount(requests.get(name), limits.get(name)))) guaranteed = false
  }
  return !anything ? 'BestEffort' : guaranteed ? 'Guaranteed' : 'Burstable'
}

function sameAmount(request: string | undefined, limit: string | undefined): boolean {
  if (limit === undefined || request === undefined) return false
  const [left, right] = [parseQuantity(request), parseQuantity(limit)]
  return compareQuantities(left, right) === 0
}

/** The amounts of CPU and memory that are not zero. */
function amounts(resources: unknown, kind: 'requests' | 'limits'): Map<string, string> {
  const found = new Map<string, string>()
  const list = isJsonObject(resources as JsonObject) ? (resources as JsonObject)[kind] : undefined
  if (!isJsonObject(list)) return found
  for (const name of COUNTED) {
    const amount = list[name]
    if ((typeof amount === 'string' || typeof amount === 'number') && !/^0+[a-zA-Z]*$/.test(String(amount))) found.set(name, String(amount))
  }
  return found
}
