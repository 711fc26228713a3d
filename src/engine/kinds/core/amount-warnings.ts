import { entryOf } from '../../core/object'
import { explicitQuantity } from '../../schema/explicit-quantities'
import { goQuote } from '../../schema/go-text'
import { memoize } from '../../schema/memoize'
import { parseQuantity, quantityUnits } from '../../schema/quantity'

export const COUNTED_IN_BYTES = ['memory', 'ephemeral-storage']

/** Bytes must be whole numbers. */
export function fractions(
  amounts: Record<string, string>,
  path: string,
  names = COUNTED_IN_BYTES,
): string[] {
  const warnings: string[] = []
  for (const name of names) {
    const amount = entryOf(amounts, name)
    if (amount === undefined) continue
    if (!isUndivided(explicitQuantity(amounts, name)))
      warnings.push(`${path}[${name}]: ${fractionText(amount)}`)
  }
  return warnings
}

const isUndivided = memoize((text: string): boolean => countedThousandths(text) % 1000n === 0n)

/**
 * 64 bits as in kube-apiserver: large amounts overflow and look fractional; with a power of ten
 * they count as zero.
 */
function countedThousandths(text: string): bigint {
  const quantity = parseQuantity(text)
  const thousandths = quantityUnits(quantity, 3)
  if (thousandths < 2n ** 63n) return thousandths
  return quantity.format === 'BinarySI' || (/\d$/.test(text) && !/e/i.test(text))
    ? BigInt.asIntN(64, thousandths)
    : 0n
}

const fractionText = (amount: string): string =>
  `fractional byte value ${goQuote(amount)} is invalid, must be an integer`

export interface ClaimAmounts {
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
}

/** @param path in kube-apiserver's form */
export function claimWarnings(spec: ClaimAmounts | undefined, path: string): string[] {
  const { requests = {}, limits = {} } = spec?.resources ?? {}
  return [
    ...fractions(requests, `${path}.resources.requests`, ['storage']),
    ...fractions(limits, `${path}.resources.limits`, ['storage']),
  ]
}
