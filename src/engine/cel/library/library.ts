import type { Value } from '../values/value'
import type { FunctionDefinition } from './function'

export interface Library {
  functions: readonly FunctionDefinition[]
  /** Names of the types that an expression can refer to as values: `net.IP`. */
  types?: readonly string[]
  /** By function name: what is wrong with a constant second argument, told when a program is made. */
  constantChecks?: Readonly<Record<string, (constant: Value) => string | undefined>>
}
