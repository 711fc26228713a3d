/** kube-apiserver validates constant arguments at compile time. */
import { entryOf } from '../../core/object'
import type { Call, Constant, Expression } from '../syntax/ast'
import type { Issue } from '../syntax/source'
import { visit } from '../syntax/visit'
import type { Checked } from '../types/checked'
import { formatType, isOptional, sameType, type Type, unwrapped } from '../types/type'
import { toTimestamp } from '../values/conversions'
import { parseDuration } from '../values/time'
import { EvaluationError } from '../values/value'
import { readFormat, TAKES } from './format-text'
import { patternProblem } from './patterns'

type Check = (part: Expression, checked: Checked, formatted: boolean) => Issue[]

const CHECKS: readonly Check[] = [
  constants(
    'duration',
    ({ value }) => typeof value === 'string' && parseDuration(value) !== undefined,
  ),
  constants('timestamp', ({ value }) => !(toTimestamp(value) instanceof EvaluationError)),
  constants('matches', ({ value }) => patternProblem(value) === undefined),
  (part, checked, formatted) =>
    (part.kind === 'list' || part.kind === 'map') && !formatted ? mixedIssues(part, checked) : [],
  (part, checked) => (part.kind === 'call' ? formatIssues(part, checked) : []),
]

export function literalIssues(expression: Expression, checked: Checked): Issue[] {
  const parts: Expression[] = []
  const formatted = new Set<Expression>()
  visit(expression, (part) => {
    parts.push(part)
    if (part.kind !== 'call' || part.function !== 'format') return
    for (const argument of part.arguments) visit(argument, (inner) => formatted.add(inner))
  })
  return CHECKS.flatMap((check) =>
    parts.flatMap((part) => check(part, checked, formatted.has(part))),
  )
}

/** The first argument: of `matches(text, pattern)` the text. */
function constants(name: string, fits: (constant: Constant) => boolean): Check {
  return (part) => {
    const argument = part.kind === 'call' && part.function === name ? part.arguments[0] : undefined
    if (argument?.kind !== 'constant' || fits(argument)) return []
    return [{ position: argument.position, message: `invalid ${name} argument` }]
  }
}

function formatIssues(
  { function: name, target, arguments: [list], position }: Call,
  { types }: Checked,
): Issue[] {
  if (
    name !== 'format' ||
    target?.kind !== 'constant' ||
    typeof target.value !== 'string' ||
    list?.kind !== 'list'
  )
    return []
  const parts = readFormat(target.value)
  if ('problem' in parts) return [{ position, message: parts.problem }]
  let next = 0
  for (const part of parts) {
    if (typeof part === 'string') continue
    const element = list.elements[next]
    if (element === undefined) return [{ position, message: `index ${next} out of range` }]
    next++
    const takes = entryOf(TAKES, part.verb)
    const misfit = takes && misfitIn(element, part.verb, takes.types, types)
    if (misfit === undefined) continue
    const { name: given } = types.get(misfit) as Type
    return [
      {
        position: misfit.position,
        message: `error during formatting: ${takes?.problem}, was given ${given}`,
      },
    ]
  }
  if (next < list.elements.length) {
    return [
      {
        position,
        message: `too many arguments supplied to string.format (expected ${next}, got ${list.elements.length})`,
      },
    ]
  }
  return []
}

/** @returns the unaccepted value or element of a literal */
function misfitIn(
  value: Expression,
  verb: string,
  taken: readonly string[],
  types: Checked['types'],
): Expression | undefined {
  const type = types.get(value) as Type
  const isText = (verb === 'f' || verb === 'e') && type.kind === 'string'
  if (type.kind !== 'dyn' && type.kind !== 'error' && !isText && !taken.includes(type.name))
    return value
  for (const part of partsOf(value)) {
    const misfit = misfitIn(part, verb, taken, types)
    if (misfit !== undefined) return misfit
  }
  return undefined
}

function partsOf(literal: Expression): Expression[] {
  if (literal.kind === 'list') return literal.elements
  return literal.kind === 'map' ? literal.entries.flatMap(({ key, value }) => [key, value]) : []
}

interface LiteralPart {
  part: Expression
  optional: boolean
}

/** Literals hold values of one type, except in arguments of `format`. */
function mixedIssues(
  literal: Extract<Expression, { kind: 'list' | 'map' }>,
  { types }: Checked,
): Issue[] {
  const typeOf = (part: Expression, isOptionalPart: boolean): Type => {
    const type = types.get(part) as Type
    return isOptionalPart && isOptional(type) ? unwrapped(type) : type
  }
  const misfits = (parts: readonly LiteralPart[]): Issue[] => {
    const [start, ...rest] = parts
    if (start === undefined) return []
    const expected = typeOf(start.part, start.optional)
    return rest.flatMap(({ part, optional }) => {
      const found = typeOf(part, optional)
      if (sameType(found, expected)) return []
      return [
        {
          position: part.position,
          message: `expected type '${formatType(expected)}' but found '${formatType(found)}'`,
        },
      ]
    })
  }
  // Of a list, only the first mismatch.
  if (literal.kind === 'list')
    return misfits(
      literal.elements.map((part, index) => ({ part, optional: literal.optional.has(index) })),
    ).slice(0, 1)
  const keys = misfits(literal.entries.map(({ key }) => ({ part: key, optional: false })))
  return [
    ...keys,
    ...misfits(literal.entries.map(({ value, optional }) => ({ part: value, optional }))),
  ]
}
