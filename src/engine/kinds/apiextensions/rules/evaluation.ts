/**
 * Evaluates validation rules on custom resources. Recorded from kube-apiserver 1.31
 * (`policy-crd-rules`).
 */
import type { Program } from '../../../cel/compile'
import { activationOf } from '../../../cel/evaluation/frame'
import { OptionalValue, type Value } from '../../../cel/values/value'
import type { Json, JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { goTrim } from '../../../schema/go-text'
import {
  duplicate,
  duplicatePrinted,
  forbiddenField,
  invalidPrinted,
  invalidValue,
  OMITTED,
  printed,
  required,
  sinceChange,
} from '../../../validation/field-errors'
import type { ExpressionTimes } from '../../../webhooks/metrics'
import type { CompiledRule, Rule } from './compiled-rules'
import { readFieldPath } from './field-path'

/** For one expression, and for all of an object. */
export const CALL_LIMIT = 1_000_000
export const OBJECT_LIMIT = 10_000_000
const MAX_MESSAGE_BYTES = 5120

export interface RuleOutcome {
  errors: FieldError[]
  /** Ratcheted violations. */
  warnings: FieldError[]
}

interface Place {
  path: string
  /** As the schema spells it. */
  type: string
  value: Json
  /** The value as an exact integer, if it is one. */
  exact?: bigint
  schema: JsonObject
  isUnchanged(): boolean
  /**
   * The old value as optional; objects and lists lose their schema (cel-go,
   * interpreter/attributes.go).
   */
  optional: Value | undefined
}

export class Evaluation implements RuleOutcome {
  readonly errors: FieldError[] = []
  readonly warnings: FieldError[] = []
  private remaining = OBJECT_LIMIT

  constructor(
    private readonly spares: boolean,
    readonly times: ExpressionTimes,
  ) {}

  /** @returns true: validate members */
  cannotSee(path: string, type: string): boolean {
    const why =
      'rule compiler initialization error: failed to convert to declType for CEL validation rules'
    this.errors.push(invalidValue(fieldOf(path), type, why))
    return true
  }

  /** @returns false to stop */
  apply(
    { rule, program, problem, usesOldSelf, message }: CompiledRule,
    self: Value,
    old: Value | undefined,
    place: Place,
  ): boolean {
    // Only violations become warnings.
    const report = (error: FieldError) => {
      if (this.spares && !usesOldSelf && place.isUnchanged()) this.warnings.push(error)
      else this.errors.push(error)
    }
    const invalid = (why: string) =>
      this.errors.push(invalidValue(fieldOf(place.path), place.type, why))
    if (program === undefined) {
      if (problem !== undefined) invalid(`rule compile error: ${problem}`)
      return true
    }
    if (usesOldSelf && old === undefined && rule.optionalOldSelf !== true) return true
    const oldSelf = rule.optionalOldSelf === true ? optionalOf(place.optional) : (old ?? null)
    const { value, error, cost, exceeded } = program.evaluate(activationOf({ self, oldSelf }), {
      limit: CALL_LIMIT,
    })
    if (exceeded) {
      invalid(
        `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`,
      )
      return false
    }
    this.remaining -= cost
    if (this.remaining < 0) {
      invalid(
        'validation failed due to running out of cost budget, no further validation rules will be run',
      )
      return false
    }
    if (error?.startsWith('no such overload')) {
      invalid(
        `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`,
      )
    } else if (error !== undefined) invalid(`${error} evaluating rule: ${ruleText(rule)}`)
    else if (value !== true) {
      // They see the old value itself, even if the rule sees an optional (`rule-transitions`).
      return this.failed(
        rule,
        message,
        activationOf(old === undefined ? { self } : { self, oldSelf: old }),
        typeof self === 'bigint' ? { ...place, exact: self } : place,
        report,
      )
    }
    return true
  }

  private failed(
    rule: Rule,
    message: Program | undefined,
    activation: ReturnType<typeof activationOf>,
    place: Place,
    report: (error: FieldError) => void,
  ): boolean {
    const field = fieldOf(
      `${place.path}${rule.fieldPath ? (readFieldPath(rule.fieldPath, place.schema) ?? '') : ''}`.replace(
        /^\./,
        '',
      ),
    )
    const detail = (rule.message && goTrim(rule.message)) || `failed rule: ${goTrim(rule.rule)}`
    if (message === undefined) {
      report(failure(rule.reason, field, place, detail))
      return true
    }
    const { value, cost, exceeded } = message.evaluate(activation, {
      limit: Math.min(CALL_LIMIT, this.remaining),
    })
    if (exceeded && this.remaining < CALL_LIMIT) {
      report(
        invalidValue(
          field,
          place.type,
          'messageExpression evaluation failed due to running out of cost budget',
        ),
      )
      return false
    }
    this.remaining -= cost
    report(failure(rule.reason, field, place, usableMessage(value) ?? detail))
    return true
  }
}

const optionalOf = (value: Value | undefined): OptionalValue =>
  value === undefined ? OptionalValue.none : new OptionalValue(value)

/** @returns undefined to use the default message */
function usableMessage(value: Value | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = goTrim(value)
  if (
    text === '' ||
    /[\r\n]/.test(text) ||
    new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES
  )
    return undefined
  return text
}

const fieldOf = (path: string): string => (path === '' ? '<nil>' : path)

const ruleText = ({ rule, message }: Rule): string => (message ? goTrim(message) : goTrim(rule))

/** Prints the type; since Kubernetes 1.35 a scalar value itself. */
function failure(
  reason: string | undefined,
  field: string,
  { type, value, exact }: Place,
  detail: string,
): FieldError {
  const shown = typeof value === 'object' ? OMITTED : printed(exact ?? value)
  const now = (error: FieldError, later: FieldError) =>
    sinceChange('RuleValuesPrinted', later, error)
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail)
    case 'FieldValueRequired':
      return required(field, detail)
    case 'FieldValueDuplicate':
      return now(duplicate(field, type), duplicatePrinted(field, shown))
    default:
      return now(invalidValue(field, type, detail), invalidPrinted(field, shown, detail))
  }
}
