/**
 * kube-apiserver holds numbers as int64 or float, and converts limits to that type. For integers,
 * limits are truncated, and those beyond 64 bits become the smallest int64. Recorded from
 * kube-apiserver 1.31.
 */
import { entryOf, type JsonObject } from '../../core/object'
import { formatDouble } from '../../schema/go-number'
import { isInt64 } from '../../schema/number-literals'

export function numberProblems(
  { maximum, minimum, exclusiveMaximum, exclusiveMinimum }: JsonObject,
  held: HeldNumber,
): string[] {
  const problems: string[] = []
  const limit = (bound: unknown, isExclusive: boolean, side: 1 | -1, words: string) => {
    if (typeof bound !== 'number') return
    const compared = side * held.compare(bound)
    if (compared > 0 || (isExclusive && compared === 0)) {
      problems.push(
        `should be ${words} than ${isExclusive ? '' : 'or equal to '}${held.shownLimit(bound)}`,
      )
    }
  }
  limit(minimum, exclusiveMinimum === true, -1, 'greater')
  limit(maximum, exclusiveMaximum === true, 1, 'less')
  return problems
}

const LARGEST = 2n ** 63n - 1n

const RANGES: Record<string, readonly [bigint, bigint]> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-LARGEST - 1n, LARGEST],
  uint64: [0n, 2n ** 64n - 1n],
}

export const isNumberFormat = (format: string): boolean =>
  ['int32', 'int64', 'float', 'double'].includes(format)

/** k8s.io/kube-openapi, pkg/validation/validate, `IsValueValidAgainstRange`. */
export function isInRange(value: number | string, type: string, format: string): boolean {
  if (type !== 'integer') {
    const isSingle = format === 'float' || format === 'float32'
    return !isSingle || Number.isFinite(Math.fround(Number(value)))
  }
  if (typeof value === 'number' && !Number.isInteger(value)) return false
  const [least, greatest] = entryOf(RANGES, format) ?? [-LARGEST - 1n, LARGEST]
  const whole = BigInt(value)
  return least <= whole && whole <= greatest
}

/** A number as kube-apiserver holds it. */
export abstract class HeldNumber {
  static of(value: number, literal: string | undefined): HeldNumber {
    return isInt64(value, literal) ? new WholeNumber(literal ?? value) : new Float(value)
  }

  abstract readonly format: 'int64' | 'float64'
  abstract readonly type: 'integer' | 'number'
  abstract readonly isIntegral: boolean
  abstract readonly shown: string
  /** With the digits that a double lacks. */
  abstract readonly exact: number | string
  /** Positive if the number is greater. */
  abstract compare(limit: number): number
  abstract shownLimit(limit: number): string
  /** Undefined for an invalid factor. */
  abstract isMultipleOf(factor: number): boolean | undefined
}

class WholeNumber extends HeldNumber {
  readonly format = 'int64'
  readonly type = 'integer'
  readonly isIntegral = true

  constructor(readonly exact: string | number) {
    super()
  }

  private get value(): bigint {
    return BigInt(this.exact)
  }

  get shown(): string {
    return String(this.exact)
  }

  compare(limit: number): number {
    const [value, bound] = [this.value, toInt64(limit)]
    return value === bound ? 0 : value > bound ? 1 : -1
  }

  shownLimit(limit: number): string {
    return String(toInt64(limit))
  }

  isMultipleOf(factor: number): boolean | undefined {
    const whole = toInt64(factor)
    return whole <= 0n ? undefined : this.value % whole === 0n
  }
}

class Float extends HeldNumber {
  readonly format = 'float64'
  readonly type = 'number'

  constructor(readonly exact: number) {
    super()
  }

  get isIntegral(): boolean {
    return isNearlyWhole(this.exact)
  }

  get shown(): string {
    return formatDouble(this.exact)
  }

  compare(limit: number): number {
    return this.exact - limit
  }

  shownLimit(limit: number): string {
    return formatDouble(limit)
  }

  isMultipleOf(factor: number): boolean | undefined {
    if (factor <= 0) return undefined
    return isNearlyWhole(factor < 1 ? (1 / factor) * this.exact : this.exact / factor)
  }
}

function toInt64(number: number): bigint {
  if (!Number.isFinite(number)) return -LARGEST - 1n
  const whole = BigInt(Math.trunc(number))
  return whole > LARGEST || whole < -LARGEST ? -LARGEST - 1n : whole
}

const EPSILON = 1e-9

function isNearlyWhole(value: number): boolean {
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return false
  const whole = Math.trunc(value)
  return value === whole || Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < EPSILON
}
