/** Sidecars count for later containers (kubernetes.io, "Resource sharing within containers"). */

import { entryOf } from '../core/object'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../schema/quantity'
import { isPodLevelResource } from '../validation/pod-qos'
import type { PodSpec, ResourceAmounts } from '../validation/pods'

type Amounts = Map<string, Quantity>

interface Container {
  restartPolicy?: string
  resources?: { requests?: ResourceAmounts; limits?: ResourceAmounts }
}

interface Containers {
  containers?: readonly Container[] | null
  initContainers?: readonly Container[] | null
}

export function podRequests(spec: Containers): ResourceAmounts {
  return texts(podAmounts(spec, ({ resources }) => resources?.requests))
}

export function podLimits(spec: Containers): ResourceAmounts {
  return texts(podAmounts(spec, ({ resources }) => resources?.limits))
}

/** Those of the pod as a whole replace the sums of its containers. */
const withPodLevel = (sums: ResourceAmounts, own: ResourceAmounts | undefined): ResourceAmounts =>
  own === undefined
    ? sums
    : {
        ...sums,
        ...Object.fromEntries(Object.entries(own).filter(([name]) => isPodLevelResource(name))),
      }

/** Including the runtime's overhead, as quotas count them. */
export function podRequestsWithOverhead(spec: PodSpec): ResourceAmounts {
  const requests = withPodLevel(podRequests(spec), spec.resources?.requests)
  return withOverhead(requests, spec.overhead, () => true)
}

export function podLimitsWithOverhead(spec: PodSpec): ResourceAmounts {
  return withOverhead(
    withPodLevel(podLimits(spec), spec.resources?.limits),
    spec.overhead,
    (limit) => limit !== undefined && parseQuantity(limit).mantissa !== 0n,
  )
}

function podAmounts(
  spec: Containers,
  amountsOf: (container: Container) => ResourceAmounts | undefined,
): Amounts {
  const running: Amounts = new Map()
  for (const container of spec.containers ?? []) add(running, amountsOf(container))
  const sidecars: Amounts = new Map()
  const peak: Amounts = new Map()
  for (const container of spec.initContainers ?? []) {
    const amounts = amountsOf(container)
    if (container.restartPolicy === 'Always') {
      add(running, amounts)
      add(sidecars, amounts)
      raise(peak, sidecars)
    } else {
      const during: Amounts = new Map(sidecars)
      add(during, amounts)
      raise(peak, during)
    }
  }
  raise(running, peak)
  return running
}

function add(to: Amounts, amounts: ResourceAmounts | undefined): void {
  for (const [name, text] of Object.entries(amounts ?? {})) {
    const amount = parseQuantity(String(text))
    const before = to.get(name)
    to.set(name, before === undefined ? amount : addQuantities(before, amount))
  }
}

function raise(to: Amounts, least: Amounts): void {
  for (const [name, amount] of least) {
    const before = to.get(name)
    if (before === undefined || compareQuantities(amount, before) > 0) to.set(name, amount)
  }
}

function withOverhead(
  amounts: ResourceAmounts,
  overhead: ResourceAmounts | undefined,
  counts: (amount: string | undefined) => boolean,
): ResourceAmounts {
  if (overhead === undefined) return amounts
  const counted = Object.fromEntries(
    Object.entries(overhead).filter(([name]) => counts(entryOf(amounts, name))),
  )
  const sum: Amounts = new Map()
  add(sum, amounts)
  add(sum, counted)
  return texts(sum)
}

const texts = (amounts: Amounts): ResourceAmounts =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]))
