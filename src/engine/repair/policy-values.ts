/** Values that make CEL expressions true, if these compare a field of the object with a value. */
import { type Call, type Expression, OPERATORS } from '../cel/syntax/ast'
import { parse } from '../cel/syntax/parser'
import { Source } from '../cel/syntax/source'
import { UInt, type Value } from '../cel/values/value'
import { append } from '../core/lists'
import { entryOf, equalJson, type Json, type JsonObject } from '../core/object'
import { valueAt } from './place'
import type { Edit, Place } from './repair'

export interface Scope {
  object: JsonObject
  /** null without a parameter. */
  param: Json
  /** Expressions by name. */
  variables: ReadonlyMap<string, string>
}

/** @returns undefined if an expression is of another form */
export function editsFor(expressions: readonly string[], scope: Scope): Edit[] | undefined {
  const edits: Edit[] = []
  for (const text of expressions) {
    const found = solve(parsed(text), scope)
    if (found === undefined) return undefined
    append(edits, found)
  }
  return edits.length === 0 ? undefined : edits
}

const parsed = (text: string): Expression =>
  parse(new Source(text), { optionalSyntax: true, optionalMacros: true, quotedNames: 'supported' })
    .expression

/** @returns no edits if the expression may hold already */
function solve(expression: Expression, scope: Scope): Edit[] | undefined {
  if (expression.kind === 'select' && expression.test) return presence(expression, scope)
  if (expression.kind !== 'call') return undefined
  const [left, right] = expression.arguments
  if (left === undefined || right === undefined) return undefined
  if (expression.function === OPERATORS.and) return both(left, right, scope)
  if (expression.function === OPERATORS.or) return solve(left, scope) ?? solve(right, scope)
  return comparison(expression.function, left, right, scope)
}

function both(left: Expression, right: Expression, scope: Scope): Edit[] | undefined {
  const [first, second] = [solve(left, scope), solve(right, scope)]
  return first === undefined || second === undefined ? undefined : [...first, ...second]
}

/** `has(a) && a == 1` needs no edit for its first part. */
function presence(expression: Extract<Expression, { kind: 'select' }>, scope: Scope) {
  return placeIn({ ...expression, test: false }, scope) === undefined ? undefined : []
}

/** The nearest value that satisfies the operator, with the field on the left. */
const NEAREST: Readonly<Record<string, (value: Json) => Json | undefined>> = {
  '_==_': (value) => value,
  '_<=_': (value) => value,
  '_>=_': (value) => value,
  '_<_': (value) => (typeof value === 'number' ? value - 1 : undefined),
  '_>_': (value) => (typeof value === 'number' ? value + 1 : undefined),
  '@in': (value) => (Array.isArray(value) ? value[0] : undefined),
}

const MIRRORED: Readonly<Record<string, string>> = {
  '_==_': '_==_',
  '_<=_': '_>=_',
  '_>=_': '_<=_',
  '_<_': '_>_',
  '_>_': '_<_',
}

function comparison(
  operator: string,
  left: Expression,
  right: Expression,
  scope: Scope,
): Edit[] | undefined {
  const mirrored = entryOf(MIRRORED, operator)
  return (
    edit(operator, left, right, scope) ??
    (mirrored === undefined ? undefined : edit(mirrored, right, left, scope))
  )
}

function edit(
  operator: string,
  field: Expression,
  other: Expression,
  scope: Scope,
): Edit[] | undefined {
  const place = placeIn(field, scope)
  const known = knownValue(other, scope)
  const value = known === undefined ? undefined : entryOf(NEAREST, operator)?.(known)
  if (place === undefined || place.length === 0 || value === undefined) return undefined
  const present = valueAt(scope.object, place)
  if (satisfies(operator, present, known as Json)) return []
  return [{ place, value }]
}

function satisfies(operator: string, present: Json | undefined, known: Json): boolean {
  if (present === undefined) return false
  if (operator === '_==_') return equalJson(present, known)
  if (operator === '@in')
    return Array.isArray(known) && known.some((item) => equalJson(item, present))
  if (typeof present !== 'number' || typeof known !== 'number') return false
  if (operator === '_<=_') return present <= known
  if (operator === '_>=_') return present >= known
  return operator === '_<_' ? present < known : present > known
}

/** The place of `object.a.b['c'][0]`. */
function placeIn(expression: Expression, scope: Scope): Place | undefined {
  return pathFrom('object', expression, scope)
}

function pathFrom(root: string, expression: Expression, scope: Scope): Place | undefined {
  const variable = variableOf(expression, scope)
  if (variable !== undefined) return pathFrom(root, variable, withoutVariables(scope))
  if (expression.kind === 'identifier') return expression.name === root ? [] : undefined
  if (expression.kind === 'select' && !expression.test) {
    const parent = pathFrom(root, expression.operand, scope)
    return parent && [...parent, expression.field]
  }
  if (expression.kind !== 'call' || expression.function !== OPERATORS.index) return undefined
  const [operand, key] = expression.arguments
  const parent = operand && pathFrom(root, operand, scope)
  const step = key?.kind === 'constant' ? jsonOf(key.value) : undefined
  return parent && (typeof step === 'string' || typeof step === 'number')
    ? [...parent, step]
    : undefined
}

/** A variable that uses itself ends here. */
const withoutVariables = (scope: Scope): Scope => ({ ...scope, variables: new Map() })

function variableOf(expression: Expression, { variables }: Scope): Expression | undefined {
  if (expression.kind !== 'select' || expression.operand.kind !== 'identifier') return undefined
  const text = expression.operand.name === 'variables' ? variables.get(expression.field) : undefined
  return text === undefined ? undefined : parsed(text)
}

/** Of constants, lists of constants, members of `params`, and `int()` of them. */
function knownValue(expression: Expression, scope: Scope): Json | undefined {
  const variable = variableOf(expression, scope)
  if (variable !== undefined) return knownValue(variable, withoutVariables(scope))
  if (expression.kind === 'constant') return jsonOf(expression.value)
  if (expression.kind === 'list') {
    const items = expression.elements.map((element) => knownValue(element, scope))
    return items.every((item) => item !== undefined) ? items : undefined
  }
  if (expression.kind === 'call' && expression.function === 'int') return asInt(expression, scope)
  const place = pathFrom('params', expression, scope)
  return place && valueAt(scope.param, place)
}

function asInt({ arguments: [operand] }: Call, scope: Scope): Json | undefined {
  const value = operand && knownValue(operand, scope)
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

function jsonOf(value: Value): Json | undefined {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof UInt) return Number(value.value)
  const isScalar =
    typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
  return isScalar ? value : undefined
}
