/** Bounds of sizes and of costs, as they are known before anything is evaluated. */
import type { Type } from '../types/type'
import type { Value } from '../values/value'

export interface Range {
  readonly min: number
  readonly max: number
}

/** A value of which only bounds are known. */
export interface EstimatedValue {
  readonly type: Type
  readonly size: Range
  /** Where the expression writes it down. */
  readonly constant?: Value
  /** Of a list one of its items, of a map one of its keys. */
  readonly item?: EstimatedValue
}

/** Receiver first. */
export type EstimateArguments = readonly EstimatedValue[]

export interface Estimate {
  readonly cost: Range
  /** Of what comes out. */
  readonly size?: Range
}
