/** Checks and evaluates CEL expressions of policies and webhooks. */

import type { Environment } from '../cel/environment'
import { type InspectedOutcome, type Inspection, inspect } from '../cel/inspection/inspect'
import {
  type AccessDecision,
  type AccessQuery,
  authorizerValue,
  type Decide,
  requestResourceValue,
} from '../cel/library/authorizer'
import { valueOfJson } from '../cel/values/json'
import type { Value } from '../cel/values/value'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { Replies } from '../policy/access-decisions'
import {
  type Declarations,
  declareVariables,
  environmentFor,
  type Wanted,
  wrongResult,
} from '../policy/compile'
import { EXPRESSION_LIMIT, type Prepared, Scope } from '../policy/evaluate'
import type { Variable } from '../policy/objects'

export interface PolicyPlace extends Pick<Declarations, 'params' | 'authorizer' | 'types'> {
  wanted: Wanted
  variables?: readonly Variable[]
  /** `stored` expressions compile with more lenient environments. */
  use: 'new' | 'stored'
}

/** Absent values are null. */
export interface PolicyValues {
  object?: Json
  oldObject?: Json
  params?: Json
  /** Members of an AdmissionReview, without `object` and `oldObject`. */
  request?: JsonObject
  namespaceObject?: Json
  /** Absent: `authorizer` denies all. */
  authorize?(query: AccessQuery): Promise<AccessDecision>
}

export interface PolicyOutcome extends InspectedOutcome {
  /** Cost of variables on first use; not included in `cost`. */
  variableCost: number
}

export interface PolicyInspection extends Omit<Inspection, 'evaluate'> {
  environment: Environment
  /** Errors by variable; valid variables are absent. */
  variableProblems: ReadonlyMap<string, string>
  /** @throws Error if compilation failed */
  evaluate(values: PolicyValues): Promise<PolicyOutcome>
}

export function inspectPolicyExpression(text: string, place: PolicyPlace): PolicyInspection {
  const { variables = [], wanted, use, ...rest } = place
  const { compiled, declared } = declareVariables(variables, rest)
  const environment = environmentFor(declared, use)
  const inspection = inspect(text, environment)
  const wrong = inspection.program && wrongResult(inspection.program.type, wanted)
  const prepared = new Map<string, Prepared>(
    compiled.map(({ name, ...variable }) => [name, variable]),
  )
  const problems = compiled.flatMap(({ name, compiled }) =>
    compiled.program === undefined ? [[name, compiled.problem] as const] : [],
  )
  return {
    ...inspection,
    ...(wrong === undefined
      ? {}
      : { issues: [{ message: wrong, start: 0, end: text.length }], message: wrong }),
    environment,
    variableProblems: new Map(problems),
    evaluate: (values) => evaluate(inspection, prepared, values),
  }
}

const DENIED: AccessDecision = { allowed: false, reason: '' }

async function evaluate(
  inspection: Inspection,
  variables: ReadonlyMap<string, Prepared>,
  values: PolicyValues,
): Promise<PolicyOutcome> {
  const replies = new Replies<AccessQuery, AccessDecision>(
    (query) => values.authorize?.(query) ?? Promise.resolve(DENIED),
  )
  const named = namedValues(values, (query) => replies.get(query))
  return replies.complete(() => {
    const scope = new Scope(
      { value: (name) => named.get(name) },
      valueOfJson(values.params),
      variables,
    )
    const outcome = inspection.evaluate(scope, EXPRESSION_LIMIT)
    return { ...outcome, variableCost: scope.takeCost() }
  })
}

function namedValues(
  { object, oldObject, request = {}, namespaceObject }: PolicyValues,
  decide: Decide,
): ReadonlyMap<string, Value> {
  const { resource, namespace, name, subResource } = request
  const { group, resource: plural } = isJsonObject(resource) ? resource : {}
  const about = { group: textOf(group), resource: textOf(plural), subresource: textOf(subResource) }
  return new Map<string, Value>([
    ['object', valueOfJson(object)],
    ['oldObject', valueOfJson(oldObject)],
    ['request', valueOfJson({ ...request, object: null, oldObject: null })],
    ['namespaceObject', valueOfJson(namespaceObject)],
    ['authorizer', authorizerValue(decide)],
    [
      'authorizer.requestResource',
      requestResourceValue(decide, { ...about, namespace: textOf(namespace), name: textOf(name) }),
    ],
  ])
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
