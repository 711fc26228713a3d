/**
 * What an expression may speak of: the variables that its place declares, and the functions of the libraries. Environments are
 * cheap: functions are looked up, and their signatures read, when an expression first names them.
 */
import { entryOf, mergedRecords } from '../object'
import { type FunctionDefinition, nameIn, type Overload, readOverload } from './library/function'
import type { Library } from './library/library'
import { STANDARD_LIBRARY } from './library/standard'
import type { Expression } from './syntax/ast'
import type { Issue } from './syntax/source'
import type { Checked } from './types/checked'
import { DURATION, readType, TIMESTAMP, type Type } from './types/type'
import { TypeValue, type Value } from './values/value'

export interface EnvironmentOptions {
  /** By name, which may be dotted: `authorizer.requestResource`. */
  variables: Readonly<Record<string, Type>>
  libraries: readonly Library[]
  /** `?.`, `[?]`, `optMap` and their like. */
  optionalSyntax: boolean
  /** Calls of library functions cost what their library says; else 1. */
  strictCost: boolean
  /** What else is wrong with an expression whose types are right. */
  validate?(expression: Expression, checked: Checked): Issue[]
}

interface Declared {
  type: Type
  value?: Value
}

export class Environment {
  readonly strictCost: boolean
  readonly optionalSyntax: boolean
  readonly validate: EnvironmentOptions['validate']
  readonly constantChecks: Readonly<Record<string, (constant: Value) => string | undefined>>
  private readonly functions: FunctionIndex

  constructor(
    private readonly options: EnvironmentOptions,
    functions?: FunctionIndex,
  ) {
    this.strictCost = options.strictCost
    this.optionalSyntax = options.optionalSyntax
    this.validate = options.validate
    this.functions = functions ?? new FunctionIndex([STANDARD_LIBRARY, ...options.libraries])
    this.constantChecks = this.functions.constantChecks
  }

  /** The same with more variables. */
  with(variables: Readonly<Record<string, Type>>): Environment {
    return new Environment(
      { ...this.options, variables: { ...this.options.variables, ...variables } },
      this.functions,
    )
  }

  variable(name: string): Declared | undefined {
    const { variables } = this.options
    const variable = entryOf(variables, name)
    if (variable !== undefined) return { type: variable }
    const named = entryOf(NAMED_TYPES, name)
    if (named !== undefined) return { type: readType(named), value: new TypeValue(name) }
    if (this.functions.types.has(name))
      return { type: readType(`type(${name})`), value: new TypeValue(name) }
    const valueless = entryOf(VALUELESS, name)
    return valueless && { type: valueless }
  }

  /** Of its own variables; those that every environment has, which are types, are not among them. */
  variableNames(): string[] {
    return Object.keys(this.options.variables)
  }

  /** Of every function and operator that there are overloads of. */
  functionNames(): string[] {
    return this.functions.names()
  }

  /** All overloads of a function; none if there is no such function. */
  overloads(name: string): readonly Overload[] {
    return this.functions.overloads(name)
  }
}

/** The real server takes these names for variables of the type that they name, which never have a value (recorded). */
const VALUELESS: Readonly<Record<string, Type>> = { duration: DURATION, timestamp: TIMESTAMP }

/** Names of types are values themselves: the type of each. */
const NAMED_TYPES: Readonly<Record<string, string>> = {
  bool: 'type(bool)',
  int: 'type(int)',
  uint: 'type(uint)',
  double: 'type(double)',
  string: 'type(string)',
  bytes: 'type(bytes)',
  list: 'type(list(A))',
  map: 'type(map(A, B))',
  type: 'type(type)',
  null_type: 'type(null_type)',
  'google.protobuf.Duration': 'type(duration)',
  'google.protobuf.Timestamp': 'type(timestamp)',
  optional_type: 'type(optional_type)',
}

/** The functions of several libraries by name, shared by the environments that are made of them. */
class FunctionIndex {
  private byName: Map<string, FunctionDefinition[]> | undefined
  private readonly read = new Map<string, readonly Overload[]>()
  readonly constantChecks: Readonly<Record<string, (constant: Value) => string | undefined>>

  readonly types: ReadonlySet<string>

  constructor(private readonly libraries: readonly Library[]) {
    this.types = new Set(libraries.flatMap(({ types = [] }) => types))
    this.constantChecks = mergedRecords(libraries.map(({ constantChecks }) => constantChecks))
  }

  overloads(name: string): readonly Overload[] {
    let overloads = this.read.get(name)
    if (overloads === undefined) {
      overloads = (this.definitions().get(name) ?? []).map(readOverload)
      this.read.set(name, overloads)
    }
    return overloads
  }

  names(): string[] {
    return [...this.definitions().keys()]
  }

  private definitions(): Map<string, FunctionDefinition[]> {
    if (this.byName === undefined) {
      this.byName = new Map()
      for (const { functions } of this.libraries) {
        for (const definition of functions) {
          const name = nameIn(definition.signature)
          const known = this.byName.get(name)
          if (known === undefined) this.byName.set(name, [definition])
          else known.push(definition)
        }
      }
    }
    return this.byName
  }
}
