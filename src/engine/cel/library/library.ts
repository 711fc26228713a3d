import type { Macro } from '../syntax/macros'
import type { Value } from '../values/value'
import type { FunctionDefinition } from './function'

export interface Library {
  /** A later library replaces the functions of the same signature. */
  functions: readonly FunctionDefinition[]
  /** Signatures of functions of earlier libraries that are gone. */
  without?: readonly string[]
  /** Names of types that expressions use as values: `net.IP`. */
  types?: readonly string[]
  /** By name and number of arguments: `sortBy/2`. */
  macros?: Readonly<Record<string, Macro>>
  /** By function: the problem of a constant second argument, reported when a program is made. */
  constantChecks?: Readonly<Record<string, (constant: Value) => string | undefined>>
}
