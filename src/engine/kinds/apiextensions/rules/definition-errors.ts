/**
 * Compiles the validation rules of a CustomResourceDefinition, and limits their cost. Recorded from
 * kube-apiserver 1.31 (`policy-crd-compile`).
 */

import { estimateCost } from '../../../cel/cost/estimator'
import type { ServerEnvironmentOptions } from '../../../cel/server-environment'
import { isJsonObject, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { goTrim } from '../../../schema/go-text'
import {
  forbiddenField,
  internalField,
  invalidNamed,
  invalidValue,
  notSupported,
  required,
} from '../../../validation/field-errors'
import { invalidStructure } from '../../../validation/go-literal'
import { type CompiledRule, compileRules, type Rule, rulesIn } from './compiled-rules'
import { type DeclaredType, MAX_REQUEST_BYTES } from './declared-type'
import { readFieldPath } from './field-path'

const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]

/** Per rule, and for all rules of a schema. */
export const RULE_LIMIT = 10_000_000
export const SCHEMA_LIMIT = 100_000_000
/** Errors name up to NAMED rules that cost DEAR or more. */
const NAMED = 4
const DEAR = SCHEMA_LIMIT / 100

export function hasRules(schema: JsonObject): boolean {
  return (
    rulesIn(schema).length > 0 || childrenOf(schema).some(({ schema: child }) => hasRules(child))
  )
}

/**
 * @param use `stored`: the stored definition has the same rules
 * @param found keyword errors: rules of invalid parts are skipped. `of` names the part if it
 * differs from `field`.
 */
export function ruleErrors(
  schema: JsonObject,
  path: string,
  use: ServerEnvironmentOptions['use'],
  found: Found[],
  release?: string,
): FieldError[] {
  if (!hasRules(schema)) return []
  const total = new TotalCost()
  const errors: FieldError[] = []
  new DefinitionRules({ use, release }, total, found, errors).check({
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
  path: string
  /** Maximum in one object. */
  cost: number
}

export function ruleCosts(schema: JsonObject, path: string, release?: string): RuleCost[] {
  const total = new TotalCost()
  new DefinitionRules({ use: 'new', release }, total, [], []).check({
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
  /** Maximum in one object; undefined: unbounded. */
  count: number | undefined
  /** The innermost list whose items do not correlate with old ones. */
  uncorrelated: string | undefined
  isRoot: boolean
}

class DefinitionRules {
  /** Sorted, so that nested parts follow. */
  private readonly wrong: readonly string[]

  constructor(
    private readonly functions: Pick<ServerEnvironmentOptions, 'use' | 'release'>,
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
    const { use, release } = this.functions
    const compiled = compileRules(place.schema, place.isRoot, use, release)
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
  name: string
  schema: JsonObject
  /** Maximum in a value; undefined: unbounded. */
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

/** Depends only on the type: `items` of an object occur once. Compared with kube-apiserver 1.31. */
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

/** @param schema undefined if paths do not resolve in it */
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
    errors.push(invalidNamed(`${path}.message`, message, { name: 'message', why: NOT_BLANK }))
  } else if (hasLineBreaks(goTrim(message))) {
    errors.push(invalidNamed(`${path}.message`, message, { name: 'message', why: ONE_LINE }))
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
  const wrongPath = (why: string) =>
    errors.push(invalidNamed(`${path}.fieldPath`, fieldPath, { name: 'fieldPath', why }))
  if (fieldPath !== '' && isBlank(fieldPath)) wrongPath(NOT_BLANK)
  if (hasLineBreaks(fieldPath)) wrongPath(ONE_LINE)
  if (fieldPath !== '' && schema !== undefined && readFieldPath(fieldPath, schema) === undefined)
    wrongPath('must be a valid path')
  return errors
}

const NOT_BLANK = 'must be non-empty if specified'
const ONE_LINE = 'must not contain line breaks'

const RULE_TYPE = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule'

const invalidRule = (field: string, rule: Rule, why: string): FieldError =>
  invalidStructure(field, RULE_TYPE, rule, why)

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
