/** Cheap to create: signatures are parsed on first use. */
import { entryOf, mergedRecords } from '../core/object'
import { type FunctionDefinition, nameIn, type Overload, readOverload } from './library/function'
import type { Library } from './library/library'
import { STANDARD_LIBRARY } from './library/standard'
import type { Expression } from './syntax/ast'
import type { QuotedNames } from './syntax/literal-parser'
import type { Macro } from './syntax/macros'
import type { Issue } from './syntax/source'
import type { Checked } from './types/checked'
import { DURATION, readType, TIMESTAMP, type Type, typeOf } from './types/type'
import { TypeValue, type Value } from './values/value'

export interface StructTypes {
  typeOf(name: string): Type | undefined
  make(name: string, fields: ReadonlyMap<string, Value>): Value
}

export interface EnvironmentOptions {
  /** Names may contain dots: `authorizer.requestResource`. */
  variables: Readonly<Record<string, Type>>
  libraries: readonly Library[]
  optionalSyntax: boolean
  /** Absent: unknown. */
  quotedNames?: QuotedNames
  /** Fields whose escaped names are reserved words have their own names, too. */
  keywordFields?: boolean
  /** Escapes of surrogates in strings are errors; absent: such escapes give U+FFFD. */
  rejectsSurrogates?: boolean
  /** Otherwise library functions cost 1. */
  strictCost: boolean
  /** `Object{}` */
  structs?: StructTypes | undefined
  /** After a successful type check. */
  validate?(expression: Expression, checked: Checked): Issue[]
}

interface Declared {
  type: Type
  value?: Value
}

export class Environment {
  readonly strictCost: boolean
  readonly optionalSyntax: boolean
  readonly quotedNames: QuotedNames
  readonly keywordFields: boolean
  readonly rejectsSurrogates: boolean
  readonly validate: EnvironmentOptions['validate']
  readonly constantChecks: Readonly<Record<string, (constant: Value) => string | undefined>>
  readonly libraryMacros: Readonly<Record<string, Macro>>
  private readonly functions: FunctionIndex
  #longestVariable: number | undefined

  constructor(
    private readonly options: EnvironmentOptions,
    functions?: FunctionIndex,
  ) {
    this.strictCost = options.strictCost
    this.optionalSyntax = options.optionalSyntax
    this.quotedNames = options.quotedNames ?? 'unknown'
    this.keywordFields = options.keywordFields ?? false
    this.rejectsSurrogates = options.rejectsSurrogates ?? false
    this.validate = options.validate
    this.functions = functions ?? new FunctionIndex([STANDARD_LIBRARY, ...options.libraries])
    this.constantChecks = this.functions.constantChecks
    this.libraryMacros = this.functions.macros
  }

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
    const struct = this.options.structs?.typeOf(name)
    if (struct !== undefined) return { type: typeOf(struct) }
    const valueless = entryOf(VALUELESS, name)
    return valueless && { type: valueless }
  }

  get longestVariable(): number {
    this.#longestVariable ??= Math.max(
      this.functions.longestType,
      mostParts(Object.keys(this.options.variables)),
    )
    return this.#longestVariable
  }

  /** In parts: `optional.of` has two. */
  get longestFunction(): number {
    return this.functions.longest
  }

  get structs(): StructTypes | undefined {
    return this.options.structs
  }

  variableNames(): string[] {
    return Object.keys(this.options.variables)
  }

  functionNames(): string[] {
    return this.functions.names()
  }

  overloads(name: string): readonly Overload[] {
    return this.functions.overloads(name)
  }
}

const mostParts = (names: readonly string[]): number =>
  names.reduce((most, name) => Math.max(most, name.split('.').length), 1)

/** Variables of cel-go without a value (policy-compile). */
const VALUELESS: Readonly<Record<string, Type>> = { duration: DURATION, timestamp: TIMESTAMP }

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

/** Shared by environments with the same libraries. */
class FunctionIndex {
  private byName: Map<string, FunctionDefinition[]> | undefined
  private readonly read = new Map<string, readonly Overload[]>()
  readonly constantChecks: Readonly<Record<string, (constant: Value) => string | undefined>>

  readonly types: ReadonlySet<string>
  readonly longestType: number
  #longest: number | undefined
  readonly macros: Readonly<Record<string, Macro>>

  constructor(private readonly libraries: readonly Library[]) {
    this.types = new Set(libraries.flatMap(({ types = [] }) => types))
    this.longestType = mostParts([...Object.keys(NAMED_TYPES), ...this.types])
    this.constantChecks = mergedRecords(libraries.map(({ constantChecks }) => constantChecks))
    this.macros = mergedRecords(libraries.map(({ macros }) => macros))
  }

  get longest(): number {
    this.#longest ??= mostParts(this.names())
    return this.#longest
  }

  overloads(name: string): readonly Overload[] {
    const read = this.read.get(name)
    if (read !== undefined) return read
    // Clients choose undeclared names, so these are not cached.
    const definitions = this.definitions().get(name)
    if (definitions === undefined) return []
    const overloads = definitions.map(readOverload)
    this.read.set(name, overloads)
    return overloads
  }

  names(): string[] {
    return [...this.definitions().keys()]
  }

  private definitions(): Map<string, FunctionDefinition[]> {
    if (this.byName === undefined) {
      this.byName = new Map()
      for (const { functions, without = [] } of this.libraries) {
        for (const signature of without) {
          const name = nameIn(signature)
          const kept = this.byName.get(name)?.filter((known) => known.signature !== signature)
          this.byName.set(name, kept ?? [])
        }
        for (const definition of functions) this.define(this.byName, definition)
      }
    }
    return this.byName
  }

  private define(byName: Map<string, FunctionDefinition[]>, definition: FunctionDefinition): void {
    const { signature } = definition
    const name = nameIn(signature)
    const known = byName.get(name)
    const same = known?.findIndex((other) => other.signature === signature) ?? -1
    if (known === undefined) byName.set(name, [definition])
    else if (same >= 0) known[same] = definition
    else known.push(definition)
  }
}
