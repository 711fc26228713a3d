import type { Environment } from '../../../engine/cel/environment'
import { activationOf } from '../../../engine/cel/evaluation/frame'
import {
  type InspectedOutcome,
  type Inspection,
  inspect,
  type Part,
  type PartIssue,
} from '../../../engine/cel/inspection/inspect'
import type { AccessDecision, AccessQuery } from '../../../engine/cel/library/authorizer'
import type { Type } from '../../../engine/cel/types/type'
import { valueOfJson } from '../../../engine/cel/values/json'
import { MapValue } from '../../../engine/cel/values/value'
import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import {
  inspectPolicyExpression,
  type PolicyPlace,
  type PolicyValues,
} from '../../../engine/inspection/policy-expression'
import { inspectRule } from '../../../engine/inspection/rule-expression'
import {
  type BenchPlace,
  benchPlace,
  type PolicyBenchPlace,
  type RuleBenchPlace,
} from './bench-places'
import type { BenchInput, BenchText } from './bench-state'
import { INPUTS } from './texts'
import { readText } from './yaml-text'

export interface BenchOutcome extends InspectedOutcome {
  /** Cost of the evaluated variables, in addition to the expression. */
  variableCost: number
}

export interface BenchResult {
  place: BenchPlace
  expression: string
  issues: PartIssue[]
  /** Type check warnings, as in the policy's status. */
  warnings: PartIssue[]
  message: string | undefined
  parts: Part[]
  type: string | undefined
  outcome: BenchOutcome | undefined
  /** In CEL cost units: of one evaluation, and for rules of all in one object. */
  estimate: { once: { min: number; max: number }; inObject?: number } | undefined
  problems: Partial<Record<BenchText, string>>
  /** For completion. */
  environment: Environment
  /** Member names of the current value of a subexpression. */
  keysOf(expression: string): string[]
}

export interface BenchHelp {
  authorize(query: AccessQuery, request: JsonObject): Promise<AccessDecision>
  /** The CEL type of a kind; undefined if it is not published. */
  typeOf(apiVersion: string, kind: string): Promise<Type | undefined>
  requestOf(object: Json | undefined, oldObject: Json | undefined): JsonObject
}

export async function runBench(input: BenchInput, help: BenchHelp): Promise<BenchResult> {
  const place = benchPlace(input.place)
  const texts = new Texts(input)
  return place.kind === 'rule' ? runRule(input, place, texts) : runPolicy(input, place, texts, help)
}

/** An invalid input counts as absent and is reported. */
class Texts {
  readonly problems: Partial<Record<BenchText, string>> = {}

  constructor(private readonly input: BenchInput) {}

  value(name: BenchText): Json | undefined {
    try {
      return readText(this.input[name])
    } catch (error) {
      this.problems[name] = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }

  mapping(name: BenchText): JsonObject | undefined {
    const value = this.value(name)
    if (value === undefined || isJsonObject(value)) return value
    this.problems[name] = INPUTS.notMapping
    return undefined
  }
}

function runRule(input: BenchInput, place: RuleBenchPlace, texts: Texts): BenchResult {
  const { expression, use, isRoot, count } = input
  const schema = texts.mapping('schema') ?? { type: 'object' }
  const [self, oldSelf] = [texts.value('object'), texts.value('oldObject')]
  const inspection = inspectRule(expression, {
    schema,
    isRoot,
    optionalOldSelf: false,
    wanted: place.wanted,
    use,
    ...(count === undefined ? {} : { count }),
  })
  const outcome =
    inspection.program && self !== undefined ? inspection.evaluate(self, oldSelf) : undefined
  const root = new Map([['self', self], ['oldSelf', oldSelf]]) // biome-ignore format: short
  return {
    ...common(inspection, place, expression),
    estimate: inspection.estimate(),
    warnings: [],
    outcome: outcome && { ...outcome, variableCost: 0 },
    problems: texts.problems,
    environment: inspection.environment,
    keysOf: keysIn(inspection.environment, root),
  }
}

async function runPolicy(
  input: BenchInput,
  place: PolicyBenchPlace,
  texts: Texts,
  help: BenchHelp,
): Promise<BenchResult> {
  const { expression, use } = input
  const { wanted, authorizer, ofPolicy } = place
  const [object, oldObject, params] = [
    texts.value('object'),
    texts.value('oldObject'),
    texts.value('params'),
  ]
  const request = { ...help.requestOf(object, oldObject), ...texts.mapping('request') }
  const namespaceObject = texts.value('namespaceObject')
  const variables = ofPolicy ? variablesIn(texts) : []
  const declared: PolicyPlace = { wanted, authorizer, params: ofPolicy, variables, use }
  const inspection = inspectPolicyExpression(expression, declared)
  const [name] = [...inspection.variableProblems.keys()]
  if (name !== undefined)
    texts.problems.variables = `${name}: ${inspection.variableProblems.get(name)}`
  const types = await typesOf(object ?? oldObject, params, help)
  const typed = inspectPolicyExpression(expression, { ...declared, wanted: 'anything', types })
  const values: PolicyValues = {
    ...(object === undefined ? {} : { object }),
    ...(oldObject === undefined ? {} : { oldObject }),
    ...(params === undefined || !ofPolicy ? {} : { params }),
    ...(namespaceObject === undefined ? {} : { namespaceObject }),
    request,
    authorize: (query) => help.authorize(query, request),
  }
  const outcome = inspection.program === undefined ? undefined : await inspection.evaluate(values)
  const root = new Map<string, Json | undefined>([['object', object], ['oldObject', oldObject], ['params', params]]) // biome-ignore format: short
  return {
    ...common(inspection, place, expression),
    estimate: once(inspection),
    warnings: inspection.issues.length > 0 ? [] : typed.issues,
    outcome,
    problems: texts.problems,
    environment: typed.environment,
    keysOf: keysIn(inspection.environment, root),
  }
}

function once(inspection: Pick<Inspection, 'estimate'>): BenchResult['estimate'] {
  const range = inspection.estimate()
  return range && { once: range }
}

function common(
  { issues, message, parts, program }: Pick<Inspection, 'issues' | 'message' | 'parts' | 'program'>,
  place: BenchPlace,
  expression: string,
) {
  return {
    place,
    expression,
    issues,
    message,
    parts,
    type: program === undefined ? undefined : parts[0]?.typeText,
  }
}

function variablesIn(texts: Texts): { name: string; expression: string }[] {
  const value = texts.value('variables')
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every(isVariable)) return value
  texts.problems.variables = INPUTS.notVariables
  return []
}

const isVariable = (item: Json): item is { name: string; expression: string } =>
  isJsonObject(item) && typeof item.name === 'string' && typeof item.expression === 'string'

async function typesOf(
  object: Json | undefined,
  params: Json | undefined,
  help: BenchHelp,
): Promise<{ object?: Type; params?: Type }> {
  const typeOf = async (value: Json | undefined): Promise<Type | undefined> => {
    if (
      !isJsonObject(value) ||
      typeof value.apiVersion !== 'string' ||
      typeof value.kind !== 'string'
    )
      return undefined
    return help.typeOf(value.apiVersion, value.kind)
  }
  const [ofObject, ofParams] = await Promise.all([typeOf(object), typeOf(params)])
  return {
    ...(ofObject === undefined ? {} : { object: ofObject }),
    ...(ofParams === undefined ? {} : { params: ofParams }),
  }
}

/** Cost limit of the evaluation for completion. */
const LOOK_LIMIT = 10_000

function keysIn(
  environment: Environment,
  root: ReadonlyMap<string, Json | undefined>,
): (expression: string) => string[] {
  const activation = activationOf(
    Object.fromEntries([...root].map(([name, json]) => [name, valueOfJson(json)])),
  )
  return (expression) => {
    const { program } = inspect(expression, environment)
    const value = program?.evaluate(activation, { limit: LOOK_LIMIT }).value
    return value instanceof MapValue
      ? value.keys().filter((key): key is string => typeof key === 'string')
      : []
  }
}
