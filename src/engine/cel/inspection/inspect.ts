/**
 * An expression taken apart for people who look at it: its parts with their places in the text and their types, what is wrong
 * where, what it may cost at most, and what each part came to and cost in one evaluation.
 */
import { compileSource, type Outcome, Program } from '../compile'
import type { Range } from '../cost/estimate'
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

/** A part that is written in the text; what macros add is counted to the part that they stand in. */
export interface Part extends Span {
  /** Place in the list of parts. */
  id: number
  /** The part around it; undefined for the whole. */
  parent: number | undefined
  kind: Expression['kind']
  /** As written, without brackets around it. */
  text: string
  type: Type
  /** The type as messages write it. */
  typeText: string
}

/** Something wrong, from one UTF-16 unit to behind another. */
export interface PartIssue extends Span {
  message: string
}

export interface PartOutcome {
  /** Of the part it speaks of. */
  id: number
  /** In their order, the first hundred; errors are values too. */
  values: Value[]
  evaluations: number
  cost: number
  ownCost: number
}

export interface InspectedOutcome extends Outcome {
  /** In the order of the parts; parts that were not evaluated have zeroes. */
  parts: PartOutcome[]
}

export interface Inspection {
  /** Empty if nothing is wrong. */
  issues: PartIssue[]
  /** What is wrong as the server tells it; undefined if nothing is. */
  message: string | undefined
  /** From the outside in; none if there is no program. */
  parts: Part[]
  program: Program | undefined
  /** Steps that an evaluation may take. @param root how large variables may be; absent: nothing is known of that */
  estimate(root?: SizedType): Range | undefined
  /** @throws Error if there is no program */
  evaluate(activation: Activation, limit: number): InspectedOutcome
}

/** @param text an expression */
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

/** Nothing is known of what is in it. */
const UNKNOWN: SizedType = { maxElements: UNBOUNDED }

function notCompiled(): never {
  throw new Error('an expression is evaluated that has issues')
}

/** Marks the word at the place of the issue, or the one unit there. */
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
  /** What a macro adds inside of it. */
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
