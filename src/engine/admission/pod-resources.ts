/** Sidecars count for later containers (kubernetes.io, "Resource sharing within containers"). */

import { entryOf } from '../core/object'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '../schema/quantity'
import type { Container, PodSpec, ResourceAmounts } from '../validation/pods'

type Amounts = Map<string, Quantity>

export function podRequests(spec: PodSpec): ResourceAmounts {
  return texts(podAmounts(spec, ({ resources }) => resources?.requests))
}

export function podLimits(spec: PodSpec): ResourceAmounts {
  return texts(podAmounts(spec, ({ resources }) => resources?.limits))
}

/** Including the runtime's overhead, as quotas count them. */
export function podRequestsWithOverhead(spec: PodSpec): ResourceAmounts {
  return withOverhead(podRequests(spec), spec.overhead, () => true)
}

export function podLimitsWithOverhead(spec: PodSpec): ResourceAmounts {
  return withOverhead(
    podLimits(spec),
    spec.overhead,
    (limit) => limit !== undefined && parseQuantity(limit).mantissa !== 0n,
  )
}

function podAmounts(
  spec: PodSpec,
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
