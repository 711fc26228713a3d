import type { Macro } from '../syntax/macros'
import type { Value } from '../values/value'
import type { FunctionDefinition } from './function'

export interface Library {
  /** Replace earlier functions of the same signature. */
  functions: readonly FunctionDefinition[]
  /** Signatures of removed functions. */
  without?: readonly string[]
  /** Usable as values: `net.IP`. */
  types?: readonly string[]
  /** By name and number of arguments: `sortBy/2`. */
  macros?: Readonly<Record<string, Macro>>
  /** By function: validates a constant second argument. */
  constantChecks?: Readonly<Record<string, (constant: Value) => string | undefined>>
}
