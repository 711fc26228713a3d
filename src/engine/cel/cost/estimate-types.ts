import type { Type } from '../types/type'
import type { Value } from '../values/value'

export interface Range {
  readonly min: number
  readonly max: number
}

export interface EstimatedValue {
  readonly type: Type
  readonly size: Range
  readonly constant?: Value
  /** An item of a list, or a key of a map. */
  readonly item?: EstimatedValue
}

/** The receiver comes first. */
export type EstimateArguments = readonly EstimatedValue[]

export interface Estimate {
  readonly cost: Range
  readonly size?: Range
}
