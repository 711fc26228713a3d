/** Inspects an expression for tools. */
import { compileSource, type Outcome, Program } from '../compile'
import type { Range } from '../cost/estimate-types'
import { estimateCost, type SizedType } from '../cost/estimator'
import { UNBOUNDED } from '../cost/factors'
import type { Environment } from '../environment'
import type { Activation } from '../evaluation/frame'
import { plan } from '../evaluation/planner'
import type { Expression } from '../syntax/ast'
import { Source } from '../syntax/source'
import { type Span, Spans } from '../syntax/spans'
import { partsOf } from '../syntax/visit'
import type { Type } from '../types/type'
import { formatType } from '../types/type'
import type { Value } from '../values/value'
import { Observations } from './observations'

/** Parts that macros add count for the part around them. */
export interface Part extends Span {
  id: number
  /** Undefined for the whole expression. */
  parent: number | undefined
  kind: Expression['kind']
  /** Without enclosing parentheses. */
  text: string
  type: Type
  typeText: string
}

/** In UTF-16 units. */
export interface PartIssue extends Span {
  message: string
}

export interface PartOutcome {
  id: number
  /** The first 100, including errors. */
  values: Value[]
  evaluations: number
  cost: number
  ownCost: number
}

export interface InspectedOutcome extends Outcome {
  /** Zeros for parts that were not evaluated. */
  parts: PartOutcome[]
}

export interface Inspection {
  issues: PartIssue[]
  /** kube-apiserver's; undefined for a valid expression. */
  message: string | undefined
  /** Outer parts first; empty for an invalid expression. */
  parts: Part[]
  program: Program | undefined
  estimate(root?: SizedType): Range | undefined
  /** @throws Error for an invalid expression */
  evaluate(activation: Activation, limit: number): InspectedOutcome
}

export function inspect(text: string, environment: Environment): Inspection {
  const source = new Source(text)
  const spans = new Spans(source)
  const { program, issues: message, failed, found } = compileSource(source, environment, spans)
  if (program === undefined) {
    const issues =
      failed === 'compilation'
        ? found.map((issue) => located(issue, source))
        : [{ message, start: 0, end: text.length }]
    return { issues, message, parts: [], program, estimate: () => undefined, evaluate: notCompiled }
  }
  const { expression, checked } = program
  const parts = partsIn(expression, spans, text, checked.types)
  return {
    issues: [],
    message: undefined,
    parts: parts.map(({ part }) => part),
    program,
    estimate: (root = UNKNOWN) => estimateCost(expression, checked, root),
    evaluate(activation, limit) {
      const observations = new Observations()
      const observed = new Program(
        expression,
        checked,
        plan(expression, checked, environment, observations),
      )
      const outcome = observed.evaluate(activation, { limit })
      return { ...outcome, parts: parts.map((part) => outcomeOf(part, observations)) }
    },
  }
}

const UNKNOWN: SizedType = { maxElements: UNBOUNDED }

function notCompiled(): never {
  throw new Error('an expression is evaluated that has issues')
}

/** The word at the position, or one character. */
function located(
  { position, message }: { position: number; message: string },
  source: Source,
): PartIssue {
  if (position < 0) return { message, start: 0, end: source.text.length }
  const start = source.offsetOf(position)
  const word = /^\w+/.exec(source.text.slice(start))?.[0] ?? ' '
  return { message, start, end: Math.min(start + word.length, Math.max(source.text.length, start)) }
}

interface WrittenPart {
  part: Part
  written: Expression
  added: Expression[]
}

function partsIn(
  whole: Expression,
  spans: Spans,
  text: string,
  types: ReadonlyMap<Expression, Type>,
): WrittenPart[] {
  const parts: WrittenPart[] = []
  const seen = new Set<Expression>()
  const take = (written: Expression, parent: number | undefined): void => {
    if (seen.has(written)) return
    seen.add(written)
    const span = spans.of(written)
    const type = types.get(written)
    let inside = parent
    if (span !== undefined && type !== undefined) {
      inside = parts.length
      const { start, end } = span
      parts.push({
        part: {
          id: inside,
          parent,
          kind: written.kind,
          start,
          end,
          text: text.slice(start, end),
          type,
          typeText: formatType(type),
        },
        written,
        added: [],
      })
    } else if (parent !== undefined) parts[parent]?.added.push(written)
    for (const inner of partsOf(written)) take(inner, inside)
  }
  take(whole, undefined)
  return parts
}

function outcomeOf({ part, written, added }: WrittenPart, { byPart }: Observations): PartOutcome {
  const { values = [], evaluations = 0, cost = 0, ownCost = 0 } = byPart.get(written) ?? {}
  const addedCost = added.reduce((sum, inner) => sum + (byPart.get(inner)?.ownCost ?? 0), 0)
  return { id: part.id, values, evaluations, cost, ownCost: ownCost + addedCost }
}
