/** Expressions of policies and webhooks, taken apart and tried with values that are given to them (document 3, "Expression language"). */

import type { Environment } from '../cel/environment'
import { type InspectedOutcome, type Inspection, inspect } from '../cel/inspection/inspect'
import {
  type AccessAnswer,
  type AccessQuery,
  authorizerValue,
  type Decide,
  requestResourceValue,
} from '../cel/library/authorizer'
import { valueOfJson } from '../cel/values/json'
import type { Value } from '../cel/values/value'
import { isJsonObject, type Json, type JsonObject } from '../object'
import { Replies } from '../policy/answers'
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
  /** What the expression must come to. */
  wanted: Wanted
  variables?: readonly Variable[]
  /** `new` as in a policy that is written now; `stored` as in one that is there. */
  use: 'new' | 'stored'
}

/** What the names stand for; what is absent is null. */
export interface PolicyValues {
  object?: Json
  oldObject?: Json
  params?: Json
  /** Members as in an AdmissionReview; `object` and `oldObject` are not looked at. */
  request?: JsonObject
  namespaceObject?: Json
  /** What `authorizer` says; absent: it allows nothing. */
  authorize?(query: AccessQuery): Promise<AccessAnswer>
}

export interface PolicyOutcome extends InspectedOutcome {
  /** Steps of the variables that were used for the first time; they count beside those of the expression. */
  variableCost: number
}

export interface PolicyInspection extends Omit<Inspection, 'evaluate'> {
  environment: Environment
  /** What is wrong with the variables, by their names; those that are right are not in it. */
  variableProblems: ReadonlyMap<string, string>
  /** @throws Error if there is no program */
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

const NOBODY_MAY: AccessAnswer = { allowed: false, reason: '' }

async function evaluate(
  inspection: Inspection,
  variables: ReadonlyMap<string, Prepared>,
  values: PolicyValues,
): Promise<PolicyOutcome> {
  const replies = new Replies<AccessQuery, AccessAnswer>(
    (query) => values.authorize?.(query) ?? Promise.resolve(NOBODY_MAY),
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
