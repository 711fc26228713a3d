/** Bounds of sizes and costs before any evaluation. */
import type { Type } from '../types/type'
import type { Value } from '../values/value'

export interface Range {
  readonly min: number
  readonly max: number
}

/** A value with known bounds. */
export interface EstimatedValue {
  readonly type: Type
  readonly size: Range
  /** The expression of the value. */
  readonly constant?: Value
  /** An item of the list, or a key of the map. */
  readonly item?: EstimatedValue
}

/** The receiver comes first. */
export type EstimateArguments = readonly EstimatedValue[]

export interface Estimate {
  readonly cost: Range
  /** The size of the result. */
  readonly size?: Range
}
