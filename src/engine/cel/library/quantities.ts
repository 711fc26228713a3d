/** `quantity('1.5Gi')` */

import { FormatError } from '../../schema/format-error'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityOf,
  subtractQuantities,
  WRONG_FORMAT,
  writtenExponent,
} from '../../schema/quantity'
import { traversesFirst } from '../cost/factors'
import { inIntRange } from '../values/arithmetic'
import { EvaluationError, OpaqueValue, unconvertible, type Value } from '../values/value'
import type { Library } from './library'

class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity'
  readonly goType = 'cel.Quantity'

  constructor(
    readonly quantity: Quantity,
    /** The power of ten at which Go keeps the digits. */
    readonly kept: number,
  ) {
    super()
  }

  override equals(other: Value): boolean | undefined {
    if (!(other instanceof QuantityValue)) return undefined
    return compareQuantities(this.quantity, other.quantity) === 0
  }

  override get opened(): Value {
    return unconvertible('*resource.Quantity', this)
  }

  override get goText(): string {
    return formatQuantity(this.quantity)
  }
}

/** Unlike decoding, rejects spaces (reports-differences-expressions/spaces-around-amounts). */
function read(text: string): QuantityValue | EvaluationError {
  if (text !== text.trim()) return new EvaluationError(WRONG_FORMAT)
  try {
    return new QuantityValue(parseQuantity(text), writtenExponent(text))
  } catch (error) {
    if (error instanceof FormatError) return new EvaluationError(error.message)
    throw error
  }
}

/** Go does not convert longer numbers to integers (cel-quantity). */
const MAX_DIGITS = 18

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

/** Zero does not count. */
function keptTogether(a: QuantityValue, b: QuantityValue): number {
  if (b.quantity.mantissa === 0n) return a.kept
  return a.quantity.mantissa === 0n ? b.kept : Math.min(a.kept, b.kept)
}

const sum = (a: QuantityValue, b: QuantityValue) =>
  new QuantityValue(addQuantities(a.quantity, b.quantity), keptTogether(a, b))
const difference = (a: QuantityValue, b: QuantityValue) =>
  new QuantityValue(subtractQuantities(a.quantity, b.quantity), keptTogether(a, b))

/** No double has more. */
const MOST_ZEROS = 400

/** Multiplies as doubles, as Go does: 0.3 is not 300m (cel-quantity). */
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
