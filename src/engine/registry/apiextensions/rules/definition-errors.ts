/**
 * What is wrong with the rules of a definition: what is written beside an expression, the expression itself, and what it may cost
 * (messages and order recorded: policy-crd-compile).
 */
import { estimateCost } from '../../../cel/cost/estimator'
import type { ServerEnvironmentOptions } from '../../../cel/server-environment'
import type { FieldError } from '../../../http/status'
import { isJsonObject, type JsonObject } from '../../../object'
import { goTrim } from '../../../schema/go-text'
import {
  forbiddenField,
  internalField,
  invalidValue,
  notSupported,
  required,
} from '../../field-errors'
import { goLiteral, typeNamed } from '../../rules/go-literal'
import { goValue } from '../../rules/go-value'
import { type CompiledRule, compileRules, type Rule, rulesIn } from './compiled-rules'
import { type DeclaredType, MAX_REQUEST_BYTES } from './declared-type'
import { readFieldPath } from './field-path'

const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]

/** What one rule may cost, and all rules of a schema together. */
export const RULE_LIMIT = 10_000_000
export const SCHEMA_LIMIT = 100_000_000
/** How many of the dearest rules are named, and what share of the limit makes a rule dear. */
const NAMED = 4
const DEAR = SCHEMA_LIMIT / 100

/** Whether a schema has rules anywhere. */
export function hasRules(schema: JsonObject): boolean {
  return (
    rulesIn(schema).length > 0 || childrenOf(schema).some(({ schema: child }) => hasRules(child))
  )
}

/**
 * What is wrong with the expressions of a structural schema.
 * @param path of the schema in the definition
 * @param use whether the definition is new, or has been stored with the same rules
 * @param found what is wrong with the words of the schema: of a part that is wrong itself, or within, rules are not looked at;
 *   `of` where it is another part than that of the field that is wrong
 */
export function ruleErrors(
  schema: JsonObject,
  path: string,
  use: ServerEnvironmentOptions['use'],
  found: Found[],
): FieldError[] {
  if (!hasRules(schema)) return []
  const total = new TotalCost()
  const errors: FieldError[] = []
  new DefinitionRules(use, total, found, errors).check({
    schema,
    path,
    count: 1,
    uncorrelated: undefined,
    isRoot: true,
  })
  return [...errors, ...total.errors(path)]
}

type Found = FieldError & { of?: string }

export interface RuleCost {
  /** Of the expression in the definition. */
  path: string
  /** Steps at most in one object. */
  cost: number
}

/** What each expression of a schema may cost, in the order in which they are judged. @param path of the schema in the definition */
export function ruleCosts(schema: JsonObject, path: string): RuleCost[] {
  const total = new TotalCost()
  new DefinitionRules('new', total, [], []).check({
    schema,
    path,
    count: 1,
    uncorrelated: undefined,
    isRoot: true,
  })
  return total.costs
}

interface Place {
  schema: JsonObject
  path: string
  /** How often its values may occur in one object; undefined: nothing limits it. */
  count: number | undefined
  /** The list above it whose items have no counterpart in the object before. */
  uncorrelated: string | undefined
  isRoot: boolean
}

class DefinitionRules {
  /** Paths of what is wrong, sorted: those within a part follow its own path. */
  private readonly wrong: readonly string[]

  constructor(
    private readonly use: ServerEnvironmentOptions['use'],
    private readonly total: TotalCost,
    found: Found[],
    private readonly compiled: FieldError[],
  ) {
    this.wrong = found.map(({ field, of = field }) => of).sort()
  }

  check(place: Place): void {
    for (const child of childrenOf(place.schema)) {
      this.check({
        schema: child.schema,
        path: `${place.path}${child.name}`,
        count:
          child.max === undefined || place.count === undefined
            ? undefined
            : place.count * child.max,
        uncorrelated:
          place.uncorrelated ??
          (child.name === '.items' && !isKeyed(place.schema) ? place.path : undefined),
        isRoot: false,
      })
    }
    if (rulesIn(place.schema).length > 0 && !this.isWrongWithin(place.path)) this.expressions(place)
  }

  private isWrongWithin(path: string): boolean {
    const prefix = `${path}.`
    let [low, high] = [0, this.wrong.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.wrong[middle] as string) < prefix) low = middle + 1
      else high = middle
    }
    return this.wrong[low]?.startsWith(prefix) === true
  }

  private expressions(place: Place): void {
    const path = `${place.path}.x-kubernetes-validations`
    const compiled = compileRules(place.schema, place.isRoot, this.use)
    if (compiled === undefined) {
      const why = 'unable to convert structural schema to CEL declarations'
      this.compiled.push(
        internalField(
          path,
          `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`,
        ),
      )
      return
    }
    compiled.rules.forEach((rule, index) => {
      this.rule(rule, compiled.declared, place, `${path}[${index}]`)
    })
  }

  private rule(
    { rule, program, problem, usesOldSelf, message, messageProblem }: CompiledRule,
    declared: DeclaredType,
    place: Place,
    path: string,
  ): void {
    const errors = this.compiled
    const count = place.count ?? Math.floor(MAX_REQUEST_BYTES / (declared.minSize + 1))
    if (program !== undefined) {
      const cost = estimateCost(program.expression, program.checked, declared).max * count
      if (cost > RULE_LIMIT)
        errors.push(
          forbiddenField(`${path}.rule`, tooDear('estimated rule cost', cost, RULE_LIMIT)),
        )
      this.total.add(`${path}.rule`, cost)
    }
    if (problem !== undefined) errors.push(invalidRule(`${path}.rule`, rule, problem))
    if (messageProblem !== undefined)
      errors.push(invalidRule(`${path}.messageExpression`, rule, messageProblem))
    if (message !== undefined) {
      const cost = estimateCost(message.expression, message.checked, declared).max
      const at = `${path}.messageExpression`
      if (cost > RULE_LIMIT)
        errors.push(
          forbiddenField(at, tooDear('estimated messageExpression cost', cost, RULE_LIMIT)),
        )
      this.total.add(at, cost)
    }
    if (usesOldSelf && place.uncorrelated !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`
      errors.push(invalidValue(`${path}.rule`, rule.rule, why))
    } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      errors.push(
        invalidValue(
          `${path}.optionalOldSelf`,
          rule.optionalOldSelf,
          'may not be set if oldSelf is not used in rule',
        ),
      )
    }
  }
}

interface Child {
  /** What stands behind the path of the schema. */
  name: string
  schema: JsonObject
  /** How often it may occur in a value of the schema; undefined: nothing limits it. */
  max: number | undefined
}

function childrenOf(schema: JsonObject): Child[] {
  const { properties, additionalProperties, items } = schema
  const max = mostChildren(schema)
  const children: Child[] = []
  if (isJsonObject(additionalProperties))
    children.push({ name: '.additionalProperties', schema: additionalProperties, max })
  for (const name of isJsonObject(properties) ? Object.keys(properties).sort() : []) {
    const property = (properties as JsonObject)[name]
    if (isJsonObject(property))
      children.push({ name: `.properties[${name}]`, schema: property, max })
  }
  if (isJsonObject(items)) children.push({ name: '.items', schema: items, max })
  return children
}

/** By the type alone, whatever of its children the schema describes: `items` of an object occur once (asked of the real server). */
function mostChildren({
  type,
  additionalProperties,
  maxItems,
  maxProperties,
}: JsonObject): number | undefined {
  if (type === 'array') return numberOf(maxItems)
  return type === 'object' && additionalProperties !== undefined ? numberOf(maxProperties) : 1
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined
const isKeyed = (schema: JsonObject): boolean => schema['x-kubernetes-list-type'] === 'map'
const isBlank = (text: string): boolean => goTrim(text) === ''
const hasLineBreaks = (text: string): boolean => /[\r\n]/.test(text)

/**
 * What is wrong with what is written beside an expression.
 * @param schema that the rule belongs to; undefined if no path can be followed in it
 * @param path of the rule
 */
export function writtenErrors(
  given: Rule,
  schema: JsonObject | undefined,
  path: string,
): FieldError[] {
  const { rule = '', message = '', messageExpression = '', reason, fieldPath = '' } = given
  const errors: FieldError[] = []
  if (isBlank(rule)) {
    errors.push(required(`${path}.rule`, 'rule is not specified'))
  } else if (message !== '' && isBlank(message)) {
    errors.push(invalidValue(`${path}.message`, message, 'message must be non-empty if specified'))
  } else if (hasLineBreaks(goTrim(message))) {
    errors.push(invalidValue(`${path}.message`, message, 'message must not contain line breaks'))
  } else if (hasLineBreaks(goTrim(rule)) && message === '') {
    errors.push(
      required(`${path}.message`, 'message must be specified if rule contains line breaks'),
    )
  }
  if (messageExpression !== '' && isBlank(messageExpression)) {
    errors.push(
      required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'),
    )
  }
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(notSupported(`${path}.reason`, reason, REASONS))
  const wrongPath = (why: string) => errors.push(invalidValue(`${path}.fieldPath`, fieldPath, why))
  if (fieldPath !== '' && isBlank(fieldPath)) wrongPath('fieldPath must be non-empty if specified')
  if (hasLineBreaks(fieldPath)) wrongPath('fieldPath must not contain line breaks')
  if (fieldPath !== '' && schema !== undefined && readFieldPath(fieldPath, schema) === undefined)
    wrongPath('fieldPath must be a valid path')
  return errors
}

const RULE_TYPE = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule'

const invalidRule = (field: string, rule: Rule, why: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  detail: `Invalid value: ${goLiteral(goValue(typeNamed(RULE_TYPE), rule as unknown as JsonObject))}: ${why}`,
})

function tooDear(what: string, cost: number, limit: number): string {
  const factor = cost / limit
  const shown =
    factor > 100
      ? 'more than 100x'
      : factor < 1.5
        ? `${factor.toFixed(6)}x`
        : `${factor.toFixed(1)}x`
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
}

/** What all rules of a schema cost together, and which of them cost most. */
class TotalCost {
  readonly costs: RuleCost[] = []
  private sum = 0
  private dearest: RuleCost[] = []

  add(path: string, cost: number): void {
    this.costs.push({ path, cost })
    this.sum += cost
    if (cost < DEAR) return
    this.dearest.push({ path, cost })
    this.dearest.sort((a, b) => b.cost - a.cost)
    this.dearest.length = Math.min(this.dearest.length, NAMED)
  }

  errors(path: string): FieldError[] {
    if (this.sum <= SCHEMA_LIMIT) return []
    const contributed =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const whole = tooDear(
      'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
      this.sum,
      SCHEMA_LIMIT,
    )
    return [
      ...this.dearest.map((rule) => forbiddenField(rule.path, contributed)),
      forbiddenField(path, whole),
    ]
  }
}
