/**
 * Resource usage of simulated pods, from an annotation of the pod (`simulation.kubetab/usage:
 * cpu=250m,memory=64Mi`) or of its autoscaler (`simulation.kubetab/load: cpu=2`), whose load the
 * ready pods share.
 */
import { parseQuantity, quantityUnits } from '../schema/quantity'

/** Amounts by resource: cpu in thousandths, everything else in whole units. */
export type Usage = ReadonlyMap<string, number>

/** The usage of a pod without annotations. */
const IDLE: Usage = new Map([
  ['cpu', 5],
  ['memory', 16 * 1024 * 1024],
])

/** @returns undefined for an invalid text; omitted resources are as in IDLE */
function usageOf(text: string): Usage | undefined {
  const amounts = new Map(IDLE)
  for (const part of text.split(',')) {
    const [name = '', amount = ''] = part.split('=').map((side) => side.trim())
    try {
      amounts.set(name, unitsOf(name, amount))
    } catch {
      return undefined
    }
  }
  return amounts
}

/** The amount in the units of `Usage`. @throws FormatError */
export const unitsOf = (name: string, amount: string): number =>
  Number(quantityUnits(parseQuantity(amount), name === 'cpu' ? 3 : 0))

/** The amount in canonical form: `250m`, `67108864`. */
export const amountText = (name: string, amount: number): string =>
  name === 'cpu'
    ? amount % 1000 === 0
      ? String(amount / 1000)
      : `${Math.ceil(amount)}m`
    : String(Math.ceil(amount))

/**
 * The usage of a pod.
 *
 * @param own the pod's annotation
 * @param load the annotation of its autoscaler
 * @param sharers number of ready pods that share the load
 */
export function podUsage(
  own: string | undefined,
  load: string | undefined,
  sharers: number,
): Usage {
  const stated = own === undefined ? undefined : usageOf(own)
  if (stated) return stated
  const whole = load === undefined ? undefined : usageOf(load)
  if (whole === undefined) return IDLE
  const named = new Set((load ?? '').split(',').map((part) => part.split('=')[0]?.trim()))
  return new Map(
    [...whole].map(([name, amount]) => [
      name,
      named.has(name) ? amount / Math.max(1, sharers) : amount,
    ]),
  )
}
