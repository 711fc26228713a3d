/** Quantities of resources: `quantity('1.5Gi')`. */

import { FormatError } from '../../schema/format-error'
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityOf,
  subtractQuantities,
  WRONG_FORMAT,
  writtenExponent,
} from '../../schema/quantity'
import { traversesFirst } from '../cost/factors'
import { inIntRange } from '../values/arithmetic'
import { EvaluationError, OpaqueValue, type Value } from '../values/value'
import type { Library } from './library'

class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity'

  constructor(
    readonly quantity: Quantity,
    /** The power of ten that its digits are kept at. */
    readonly kept: number,
  ) {
    super()
  }

  override equals(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0
  }
}

/** Spaces around an amount are trimmed when JSON is decoded, not here (reports-differences-expressions/spaces-around-amounts). */
function read(text: string): QuantityValue | EvaluationError {
  if (text !== text.trim()) return new EvaluationError(WRONG_FORMAT)
  try {
    return new QuantityValue(parseQuantity(text), writtenExponent(text))
  } catch (error) {
    if (error instanceof FormatError) return new EvaluationError(error.message)
    throw error
  }
}

/** Longer numbers are kept in another form, which has no whole number of its own (recorded: cel-quantity). */
const MAX_DIGITS = 18

/** @returns undefined for what is no whole number of 64 bits */
function integer({ mantissa, exponent }: Quantity): bigint | undefined {
  if (exponent < 0 || exponent > 19 || mantissa.toString().length > MAX_DIGITS)
    return mantissa === 0n ? 0n : undefined
  const value = mantissa * 10n ** BigInt(exponent)
  return inIntRange(value) ? value : undefined
}

const parses = {
  strictCost: true as const,
  cost: traversesFirst.cost,
  estimate: traversesFirst.estimate,
}
const Q = 'kubernetes.Quantity'
const order = (a: QuantityValue, b: QuantityValue): number =>
  compareQuantities(a.quantity, b.quantity)
const whole = (number: bigint): QuantityValue => new QuantityValue(quantityOf(number), 0)

/** Of two numbers the finer steps, unless one of them is nothing. */
function keptTogether(a: QuantityValue, b: QuantityValue): number {
  if (b.quantity.mantissa === 0n) return a.kept
  return a.quantity.mantissa === 0n ? b.kept : Math.min(a.kept, b.kept)
}

const sum = (a: QuantityValue, b: QuantityValue) =>
  new QuantityValue(addQuantities(a.quantity, b.quantity), keptTogether(a, b))
const difference = (a: QuantityValue, b: QuantityValue) =>
  new QuantityValue(subtractQuantities(a.quantity, b.quantity), keptTogether(a, b))

/** More zeros than this make no double. */
const MOST_ZEROS = 400

/** The digits as a double times the power of ten as one, each of them rounded (recorded: 0.3 is not 300m). */
function approximate({ quantity: { mantissa, exponent }, kept }: QuantityValue): number {
  const zeros = exponent - kept
  if (zeros < 0 || zeros > MOST_ZEROS) return Number(`${mantissa}e${exponent}`)
  return Number(mantissa * 10n ** BigInt(zeros)) * Number(`1e${kept}`)
}

const sign = ({ quantity: { mantissa } }: QuantityValue): bigint =>
  mantissa === 0n ? 0n : mantissa > 0n ? 1n : -1n

export const QUANTITIES: Library = {
  get functions() {
    return [
      { signature: `quantity(string) -> ${Q}`, call: read, ...parses },
      {
        signature: 'isQuantity(string) -> bool',
        call: (text: string) => read(text) instanceof QuantityValue,
        ...parses,
      },
      { signature: `sign(${Q}) -> int`, call: sign },
      {
        signature: `${Q}.isInteger() -> bool`,
        call: ({ quantity }: QuantityValue) => integer(quantity) !== undefined,
      },
      {
        signature: `${Q}.asInteger() -> int`,
        call: ({ quantity }: QuantityValue) =>
          integer(quantity) ?? new EvaluationError('cannot convert value to integer'),
      },
      {
        signature: `${Q}.asApproximateFloat() -> double`,
        call: approximate,
      },
      {
        signature: `${Q}.isLessThan(${Q}) -> bool`,
        call: (a: QuantityValue, b: QuantityValue) => order(a, b) < 0,
      },
      {
        signature: `${Q}.isGreaterThan(${Q}) -> bool`,
        call: (a: QuantityValue, b: QuantityValue) => order(a, b) > 0,
      },
      {
        signature: `${Q}.compareTo(${Q}) -> int`,
        call: (a: QuantityValue, b: QuantityValue) => BigInt(Math.sign(order(a, b))),
      },
      { signature: `${Q}.add(${Q}) -> ${Q}`, call: sum },
      {
        signature: `${Q}.add(int) -> ${Q}`,
        call: (a: QuantityValue, b: bigint) => sum(a, whole(b)),
      },
      { signature: `${Q}.sub(${Q}) -> ${Q}`, call: difference },
      {
        signature: `${Q}.sub(int) -> ${Q}`,
        call: (a: QuantityValue, b: bigint) => difference(a, whole(b)),
      },
    ]
  },
}
