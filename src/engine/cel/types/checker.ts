/** cel-spec, doc/langdef.md, "Gradual Type Checking"; policy-compile, policy-crd-compile. */
import type { Environment } from '../environment'
import type { Overload } from '../library/function'
import { type Call, type Comprehension, dottedName, type Expression, type ListLiteral, type MapLiteral, OPERATORS, type Select, type StructLiteral } from '../syntax/ast' // biome-ignore format: one line
import type { Issue } from '../syntax/source'
import { TypeValue, UInt, type Value } from '../values/value'
import type { Checked, NameReference } from './checked'
import { resolveOverload } from './overload-resolution'
import { moreGeneral, Substitution } from './substitution'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  formatType,
  INT,
  isOpen,
  isOptional,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  parameter,
  STRING,
  sameType,
  type Type,
  UINT,
  unwrapped,
} from './type'

export function check(expression: Expression, environment: Environment): Checked {
  return new Checker(environment).run(expression)
}

/** cel-go prints a memory address here. */
const UNNAMED = '&{0 0xc000000000}(0)'

class Checker {
  private readonly types = new Map<Expression, Type>()
  private readonly names = new Map<Expression, NameReference>()
  private readonly calls = new Map<Call, { function: string; overloads: readonly Overload[] }>()
  private readonly issues: Issue[] = []
  private readonly substitution = new Substitution()
  /** Innermost last. */
  private readonly scopes: Map<string, Type>[] = []
  private freshParameters = 0

  constructor(private readonly environment: Environment) {}

  run(expression: Expression): Checked {
    this.check(expression)
    for (const [part, type] of this.types) this.types.set(part, this.substitution.apply(type, true))
    const { types, names, calls, issues } = this
    return { types, names, calls, issues }
  }

  private issue(position: number, message: string): Type {
    this.issues.push({ position, message })
    return ERROR
  }

  private check(expression: Expression): Type {
    const type = this.typeOf(expression)
    const known = this.types.get(expression)
    if (known === undefined || sameType(known, type)) {
      this.types.set(expression, type)
      return type
    }
    // cel-go checks a target that a macro uses twice with new type parameters (policy-compile).
    const problem = `incompatible type already exists for expression: ${UNNAMED} old:${formatType(known)}, new:${formatType(type)}`
    this.issue(expression.position, problem)
    return known
  }

  private typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'constant':
        return typeOfConstant(expression.value)
      case 'identifier':
        return (
          this.name(expression, expression.name) ??
          this.undeclared(expression.position, expression.name)
        )
      case 'select':
        return this.select(expression)
      case 'call':
        return this.call(expression)
      case 'list':
        return this.list(expression)
      case 'map':
        return this.map(expression)
      case 'struct':
        return this.struct(expression)
      case 'comprehension':
        return this.comprehension(expression)
    }
  }

  private undeclared(position: number, name: string): Type {
    return this.issue(position, `undeclared reference to '${name}' (in container '')`)
  }

  private name(expression: Expression, written: string): Type | undefined {
    // A leading dot leaves the container, but still finds variables of loops (policy-compile).
    const name = written.startsWith('.') ? written.slice(1) : written
    for (let at = this.scopes.length - 1; at >= 0; at--) {
      const type = this.scopes[at]?.get(name)
      if (type !== undefined) {
        this.names.set(expression, { name })
        return type
      }
    }
    const declared = this.environment.variable(name)
    if (declared === undefined) return undefined
    this.names.set(
      expression,
      declared.value === undefined ? { name } : { name, value: declared.value },
    )
    return declared.type
  }

  private select(expression: Select): Type {
    const dotted = dottedName(expression, this.environment.longestVariable)
    if (dotted !== undefined && !this.isLocal(dotted)) {
      const type = this.name(expression, dotted)
      if (type !== undefined) return type
    }
    const operand = this.check(expression.operand)
    const field = this.field(operand, expression.field, expression.position)
    return expression.test ? BOOL : this.substitution.apply(field, false)
  }

  /** Variables of loops hide declared names. */
  private isLocal(dotted: string): boolean {
    const first = dotted.split('.', 1)[0] as string
    return this.scopes.some((scope) => scope.has(first))
  }

  private field(operand: Type, name: string, position: number): Type {
    const target = this.substitution.apply(operand, false)
    if (isOptional(target)) {
      const inner = this.fieldOf(unwrapped(target), name, position)
      return inner.kind === 'error' ? inner : optionalOf(inner)
    }
    return this.fieldOf(target, name, position)
  }

  private fieldOf(target: Type, name: string, position: number): Type {
    switch (target.kind) {
      case 'object':
        if (target.fields === undefined)
          return this.issue(position, `unexpected failed resolution of '${target.name}'`)
        return (
          target.fields.get(name) ??
          (this.environment.keywordFields ? target.fields.get(`__${name}__`) : undefined) ??
          this.issue(position, `undefined field '${name}'`)
        )
      case 'map':
        return target.parameters[1] as Type
      case 'parameter':
        this.substitution.fits([DYN], [target])
        return DYN
      case 'dyn':
      case 'any':
      case 'error':
        return DYN
      default:
        this.issue(position, `type '${formatType(target)}' does not support field selection`)
        return DYN
    }
  }

  private call(call: Call): Type {
    if (call.function === OPERATORS.and || call.function === OPERATORS.or) return this.logic(call)
    if (call.function === OPERATORS.optionalSelect) return this.optionalSelect(call)
    // cel-go checks arguments before the receiver.
    const given = call.arguments.map((operand) => this.check(operand))
    if (call.target === undefined) {
      const name = call.function.replace(/^\./, '')
      if (this.environment.overloads(name).length > 0) return this.resolve(call, name, given, false)
      return this.undeclared(call.position, call.function)
    }
    const prefix = dottedName(call.target, this.environment.longestFunction - 1)
    const qualified =
      prefix === undefined ? undefined : `${prefix}.${call.function}`.replace(/^\./, '')
    if (qualified !== undefined && this.environment.overloads(qualified).length > 0)
      return this.resolve(call, qualified, given, false)
    const target = this.check(call.target)
    if (this.environment.overloads(call.function).length > 0)
      return this.resolve(call, call.function, [target, ...given], true)
    return this.undeclared(call.position, call.function)
  }

  private logic(call: Call): Type {
    const fits = call.arguments.map((operand) => {
      const type = this.check(operand)
      if (this.substitution.fits([type], [BOOL])) return true
      this.mismatch(operand.position, BOOL, type)
      return false
    })
    return fits.every(Boolean) ? BOOL : ERROR
  }

  private resolve(call: Call, name: string, given: readonly Type[], member: boolean): Type {
    const resolved = resolveOverload({
      overloads: this.environment.overloads(name),
      given,
      member,
      substitution: this.substitution,
      freshParameter: this.freshParameter,
    })
    if (resolved === undefined) {
      const types = given.map((type) => formatType(this.substitution.apply(type, true)))
      const applied = member
        ? `${types[0]}.(${types.slice(1).join(', ')})`
        : `(${types.join(', ')})`
      return this.issue(
        call.position,
        `found no matching overload for '${name}' applied to '${applied}'`,
      )
    }
    this.calls.set(call, { function: name, overloads: resolved.matching })
    return resolved.result
  }

  private readonly freshParameter = (): Type => parameter(`_var${this.freshParameters++}`)

  private optionalSelect(call: Call): Type {
    const [operand, field] = call.arguments
    if (operand === undefined || field?.kind !== 'constant')
      return this.issue(call.position, 'unsupported optional field selection')
    this.check(field)
    const target = this.substitution.apply(this.check(operand), false)
    const inner = this.fieldOf(unwrapped(target), String(field.value), call.position)
    this.calls.set(call, { function: call.function, overloads: [] })
    return optionalOf(this.substitution.apply(inner, false))
  }

  private list({ elements, optional }: ListLiteral): Type {
    let joined: Type | undefined
    elements.forEach((element, index) => {
      let type = this.check(element)
      if (optional.has(index)) {
        if (isOptional(type)) type = unwrapped(type)
        else if (!isOpen(type)) this.mismatch(element.position, optionalOf(type), type)
      }
      joined = this.join(joined, type)
    })
    return listOf(joined ?? this.freshParameter())
  }

  private map({ entries }: MapLiteral): Type {
    let keys: Type | undefined
    let values: Type | undefined
    for (const { key, value, optional } of entries) {
      keys = this.join(keys, this.check(key))
      let type = this.check(value)
      if (optional) {
        if (isOptional(type)) type = unwrapped(type)
        else if (!isOpen(type)) this.mismatch(value.position, optionalOf(type), type)
      }
      values = this.join(values, type)
    }
    return mapOf(keys ?? this.freshParameter(), values ?? this.freshParameter())
  }

  private join(before: Type | undefined, type: Type): Type {
    if (before === undefined) return type
    if (this.substitution.fits([before], [type])) return moreGeneral(before, type)
    return DYN
  }

  private mismatch(position: number, expected: Type, found: Type): Type {
    return this.issue(
      position,
      `expected type '${formatType(expected)}' but found '${formatType(found)}'`,
    )
  }

  private struct({ name, fields, position }: StructLiteral): Type {
    const written = name.replace(/^\./, '')
    const declared = this.environment.variable(written)
    const message =
      declared?.type.kind === 'type' ? (declared.type.parameters[0] ?? DYN) : undefined
    if (message?.fields !== undefined && message.kind === 'object')
      return this.fieldsOf(message, fields)
    if (declared === undefined || message?.kind === 'duration' || message?.kind === 'timestamp')
      return this.undeclared(position, name)
    this.issue(
      position,
      message ? `'${message.name}' is not a message type` : `'${declared.type.name}' is not a type`,
    )
    for (const { value, position } of fields) {
      this.check(value)
      this.issue(position, `unexpected failed resolution of '${written}'`)
    }
    return ERROR
  }

  private fieldsOf(struct: Type, fields: StructLiteral['fields']): Type {
    for (const { field, value, optional, position } of fields) {
      let type = this.check(value)
      if (optional) {
        if (isOptional(type)) type = unwrapped(type)
        else if (!isOpen(type)) this.mismatch(value.position, optionalOf(type), type)
      }
      const wanted = struct.fields?.get(field)
      if (wanted !== undefined && this.substitution.fits([wanted], [type])) continue
      const expected = wanted === undefined ? '' : formatType(wanted)
      this.issue(
        position,
        `expected type of field '${field}' is '${expected}' but provided type is '${formatType(type)}'`,
      )
    }
    return struct
  }

  private comprehension(loop: Comprehension): Type {
    const range = this.substitution.apply(this.check(loop.range), false)
    const element = this.elementOf(range, loop.range.position)
    const accumulated = this.check(loop.initial)
    this.scopes.push(new Map([[loop.accumulator, accumulated]]))
    this.scopes.push(variablesOf(loop, range, element))
    this.require(loop.condition, BOOL)
    this.require(loop.step, accumulated)
    this.scopes.pop()
    const result = this.check(loop.result)
    this.scopes.pop()
    return this.substitution.apply(result, false)
  }

  private require(expression: Expression, type: Type): void {
    const found = this.check(expression)
    if (!this.substitution.fits([type], [found])) this.mismatch(expression.position, type, found)
  }

  private elementOf(range: Type, position: number): Type {
    switch (range.kind) {
      case 'list':
      case 'map':
        return range.parameters[0] as Type
      case 'parameter':
        this.substitution.fits([DYN], [range])
        return DYN
      case 'dyn':
      case 'error':
        return DYN
      default: {
        const name = formatType(range)
        this.issue(
          position,
          `expression of type '${name}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
        return ERROR
      }
    }
  }
}

function variablesOf(
  { variable, secondVariable }: Comprehension,
  { kind, parameters }: Type,
  element: Type,
): Map<string, Type> {
  if (secondVariable === undefined) return new Map([[variable, element]])
  const [first, second] =
    kind === 'list'
      ? [INT, element]
      : kind === 'map'
        ? [element, parameters[1] as Type]
        : [element, element]
  return new Map([
    [variable, first],
    [secondVariable, second],
  ])
}

function typeOfConstant(value: Value): Type {
  if (value === null) return NULL
  switch (typeof value) {
    case 'boolean':
      return BOOL
    case 'bigint':
      return INT
    case 'number':
      return DOUBLE
    case 'string':
      return STRING
    default:
      if (value instanceof UInt) return UINT
      return value instanceof TypeValue ? DYN : BYTES
  }
}
