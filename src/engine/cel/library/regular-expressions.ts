/** `find` and `findAll` with RE2 patterns. */
import type { EstimateArguments } from '../cost/estimate-types'
import { fixed, matchesPattern, range } from '../cost/factors'
import { ArrayList, EvaluationError, type Value } from '../values/value'
import type { Library } from './library'
import { findPattern, patternProblem } from './patterns'

const cost = {
  strictCost: true as const,
  cost: matchesPattern.cost,
  estimate: (values: EstimateArguments) => ({
    ...matchesPattern.estimate(values),
    size: range(0, (values[0]?.size ?? fixed(1)).max),
  }),
}

function find(text: string, pattern: string): Value {
  const found = findPattern(pattern)
  return found instanceof EvaluationError ? illegal(found) : (found.find(text) ?? '')
}

function findAll(text: string, pattern: string, limit = -1n): Value {
  const found = findPattern(pattern)
  if (found instanceof EvaluationError) return illegal(found)
  return new ArrayList(found.findAll(text, limit < 0n ? undefined : Number(limit)))
}

const illegal = ({ message }: EvaluationError): EvaluationError =>
  new EvaluationError(`Illegal regex: ${message}`)

export const REGULAR_EXPRESSIONS: Library = {
  get functions() {
    return [
      { signature: 'string.find(string) -> string', call: find, ...cost },
      {
        signature: 'string.findAll(string) -> list(string)',
        call: (text: string, pattern: string) => findAll(text, pattern),
        ...cost,
      },
      { signature: 'string.findAll(string, int) -> list(string)', call: findAll, ...cost },
    ]
  },
  constantChecks: { find: patternProblem, findAll: patternProblem },
}
