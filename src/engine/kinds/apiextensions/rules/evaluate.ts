/**
 * Evaluates the rules of a custom resource's schema. Messages, order and budgets recorded from
 * kube-apiserver 1.31 (recording `policy-crd-rules`). Violations in unchanged parts may be
 * warnings, so that objects older than a rule can still be updated (KEP-4008, CRD validation
 * ratcheting).
 */
import type { Program } from '../../../cel/compile'
import { activationOf } from '../../../cel/evaluation/frame'
import { valueOfJson } from '../../../cel/values/json'
import { OptionalValue, type Value } from '../../../cel/values/value'
import { isJsonObject, type Json, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { goTrim } from '../../../schema/go-text'
import { escapeName } from '../../../validation/custom-objects/property-names'
import {
  formerItems,
  isUnchanged,
  NEVER_UNCHANGED,
} from '../../../validation/custom-objects/unchanged'
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
import { type CompiledRule, compileRules, type Rule, rulesIn } from './compiled-rules'
import { type DeclaredType, declaredType } from './declared-type'
import { hasRules } from './definition-errors'
import { readFieldPath } from './field-path'
import { literalIn, ruleValueOf } from './values'

/** The cost limits of one expression, and of all expressions for one object. */
export const CALL_LIMIT = 1_000_000
export const OBJECT_LIMIT = 10_000_000
const MAX_MESSAGE_BYTES = 5120

const UNTIMED: ExpressionTimes = { time: (_, run) => run() }

export interface RuleOutcome {
  errors: FieldError[]
  /** Violations that are ratcheted, because their value is unchanged. */
  warnings: FieldError[]
}

export interface EvaluateOptions {
  /** Records how long it took. */
  times?: ExpressionTimes
  /** Whether violations in unchanged values are only warnings; false for writes to `status`. */
  spares?: boolean
}

/**
 * The rules of a schema and its parts, as far as the enclosing type declares them. Undeclared
 * properties are skipped with all rules below. Below `x-kubernetes-preserve-unknown-fields` without
 * a type no rule is evaluated. Undeclared items and additional properties with rules of their own
 * are errors. See k8s.io/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go.
 */
export class SchemaRules {
  /** `unseen`: the schema has no CEL type. */
  private compiled: CompiledRule[] | 'unseen' | undefined
  private readonly properties: ReadonlyMap<string, SchemaRules>
  private readonly members: SchemaRules | undefined
  private readonly items: SchemaRules | undefined

  /** @returns undefined for a schema without rules */
  static of(schema: JsonObject, isRoot = true, release?: string): SchemaRules | undefined {
    if (!hasRules(schema)) return undefined
    return SchemaRules.within(
      schema,
      isRoot,
      declaredType(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true),
      release,
    )
  }

  /** @param declared the CEL type of the schema in its context; undefined: undeclared */
  private static within(
    schema: JsonObject,
    isRoot: boolean,
    declared: DeclaredType | undefined,
    release: string | undefined,
  ): SchemaRules | undefined {
    const rules = new SchemaRules(schema, isRoot, declared, release)
    return rules.isEmpty() ? undefined : rules
  }

  private constructor(
    private readonly schema: JsonObject,
    private readonly isRoot: boolean,
    declared: DeclaredType | undefined,
    private readonly release: string | undefined,
  ) {
    const { properties, additionalProperties, items } = schema
    const inner = (child: Json | undefined) =>
      isJsonObject(child) && hasRules(child)
        ? SchemaRules.within(child, false, declared?.element, release)
        : undefined
    if (rulesIn(schema).length === 0) this.compiled = []
    else if (declared === undefined) this.compiled = 'unseen'
    this.properties = new Map(
      Object.entries(isJsonObject(properties) ? properties : {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, child]) => {
          if (!isJsonObject(child) || !hasRules(child)) return []
          const member = declaredMember(declared, name, child)
          const rules = member && SchemaRules.within(child, false, member, release)
          return rules === undefined ? [] : [[name, rules] as const]
        }),
    )
    this.members = inner(additionalProperties)
    this.items = inner(items)
  }

  private isEmpty(): boolean {
    return (
      rulesIn(this.schema).length === 0 &&
      this.properties.size === 0 &&
      this.members === undefined &&
      this.items === undefined
    )
  }

  /** @param old the object before an update */
  evaluate(
    object: JsonObject,
    old?: JsonObject,
    { times = UNTIMED, spares = true }: EvaluateOptions = {},
  ): RuleOutcome {
    const evaluation = new Evaluation(spares, times)
    this.check(evaluation, { value: object, old, path: '', surroundings: CHANGED })
    return evaluation
  }

  /**
   * Evaluates rules on a default as on an unchanged value.
   * @param path of the default in the definition
   */
  evaluateDefault(value: Json, path: string): FieldError[] {
    const evaluation = new Evaluation(false, UNTIMED)
    this.check(evaluation, { value, old: value, path, surroundings: CHANGED })
    return evaluation.errors
  }

  /** @returns false if evaluation must stop */
  private check(evaluation: Evaluation, found: Found): boolean {
    const { value, old } = found
    if (value === undefined || value === null) return true
    // A value without a correlated old value is unchanged if its context is.
    const unchanged = found.isNew
      ? CHANGED
      : old === undefined
        ? found.surroundings
        : once(() => isUnchanged(this.schema, value, old))
    if (!this.ownRules(evaluation, value, found, unchanged)) return false
    if (Array.isArray(value)) return this.checkItems(evaluation, value, found, unchanged)
    return isJsonObject(value) ? this.checkMembers(evaluation, value, found, unchanged) : true
  }

  private ownRules(
    evaluation: Evaluation,
    value: Json,
    { old, path, literal, oldLiteral }: Found,
    isUnchanged: () => boolean,
  ): boolean {
    const { times } = evaluation
    this.compiled ??= times.time(
      'compilation',
      () => compileRules(this.schema, this.isRoot, 'stored', this.release)?.rules ?? 'unseen',
    )
    const { compiled, schema, isRoot } = this
    if (compiled === 'unseen') return evaluation.cannotSee(path, typeOf(schema))
    if (compiled.length === 0) return true
    const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true
    const see = (json: Json, literal: string | undefined) =>
      ruleValueOf(schema, json, { isResource, literal })
    const self = see(value, literal)
    const before = old === undefined || old === null ? undefined : see(old, oldLiteral)
    const isWhole = isJsonObject(old) || Array.isArray(old)
    const place = {
      path,
      type: typeOf(schema),
      value,
      schema,
      isUnchanged,
      optional: isWhole ? valueOfJson(old) : before,
    }
    return times.time('evaluation', () =>
      compiled.every((rule) => evaluation.apply(rule, self, before, place)),
    )
  }

  private checkItems(
    evaluation: Evaluation,
    list: Json[],
    { old, path }: Found,
    surroundings: () => boolean,
  ): boolean {
    const { items } = this
    if (items === undefined) return true
    const before = this.counterparts(old)
    return list.every((item, index) =>
      items.check(evaluation, {
        value: item,
        old: before?.(item),
        path: `${path}[${index}]`,
        surroundings,
        literal: literalIn(list, index, item),
      }),
    )
  }

  /** Items of map lists are correlated by their keys. */
  private counterparts(old: Json | undefined): ((item: Json) => Json | undefined) | undefined {
    return Array.isArray(old) ? formerItems(this.schema, old) : undefined
  }

  private checkMembers(
    evaluation: Evaluation,
    object: JsonObject,
    { old, path }: Found,
    surroundings: () => boolean,
  ): boolean {
    const before = isJsonObject(old) ? old : {}
    const member = (name: string, at: string): Found => {
      const isNew = this.isRoot && NEVER_UNCHANGED.includes(name)
      const value = object[name]
      const old = Object.hasOwn(before, name) ? before[name] : undefined
      return {
        value,
        old,
        path: at,
        surroundings,
        isNew,
        literal: literalIn(object, name, value),
        oldLiteral: literalIn(before, name, old),
      }
    }
    const { members } = this
    if (members !== undefined) {
      return Object.keys(object)
        .sort()
        .every((name) => members.check(evaluation, member(name, `${path}[${name}]`)))
    }
    for (const [name, rules] of this.properties) {
      if (
        Object.hasOwn(object, name) &&
        !rules.check(evaluation, member(name, path === '' ? name : `${path}.${name}`))
      )
        return false
    }
    return true
  }
}

/** The declared type of a member; a member whose name is not expressible has its own type. */
function declaredMember(
  around: DeclaredType | undefined,
  name: string,
  schema: JsonObject,
): DeclaredType | undefined {
  const escaped = escapeName(name)
  return escaped === undefined ? declaredType(schema) : around?.fields?.get(escaped)
}

/** A value at a path. */
interface Found {
  value: Json | undefined
  /** The correlated value in the old object. */
  old: Json | undefined
  path: string
  /** Whether the innermost enclosing value with a correlated old value is unchanged. */
  surroundings: () => boolean
  /** Counts as changed, although it may have a correlated old value. */
  isNew?: boolean
  /** Numbers as they were written, where JavaScript numbers are less exact. */
  literal?: string | undefined
  oldLiteral?: string | undefined
}

/** The context of a new object. */
const CHANGED = (): boolean => false

function once(find: () => boolean): () => boolean {
  let found: boolean | undefined
  return () => {
    found ??= find()
    return found
  }
}

interface Place {
  path: string
  /** The type as the schema spells it, for errors. */
  type: string
  value: Json
  schema: JsonObject
  /** Compared with the old object. */
  isUnchanged(): boolean
  /**
   * The old value as an optional one; objects and lists are without their schema (cel-go,
   * interpreter/attributes.go).
   */
  optional: Value | undefined
}

class Evaluation implements RuleOutcome {
  readonly errors: FieldError[] = []
  readonly warnings: FieldError[] = []
  /** The remaining cost budget of the object. */
  private remaining = OBJECT_LIMIT

  constructor(
    private readonly spares: boolean,
    readonly times: ExpressionTimes,
  ) {}

  /** Reports a value without a CEL type that has rules. @returns true: its members are validated */
  cannotSee(path: string, type: string): boolean {
    const why =
      'rule compiler initialization error: failed to convert to declType for CEL validation rules'
    this.errors.push(invalidValue(fieldOf(path), type, why))
    return true
  }

  /** @returns false if no further rule is evaluated */
  apply(
    { rule, program, problem, usesOldSelf, message }: CompiledRule,
    self: Value,
    old: Value | undefined,
    place: Place,
  ): boolean {
    // Only violations become warnings; a rule that fails to evaluate is an error in any case.
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
      // Message expressions see the old value itself, even if the rule has an optional one
      // (recording `rule-transitions`).
      return this.failed(
        rule,
        message,
        activationOf(old === undefined ? { self } : { self, oldSelf: old }),
        place,
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

/** @returns undefined for an invalid message, which the default message replaces */
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

const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type : '')

const fieldOf = (path: string): string => (path === '' ? '<nil>' : path)

/** The rule as quoted in errors about itself. */
const ruleText = ({ rule, message }: Rule): string => (message ? goTrim(message) : goTrim(rule))

/** A violation prints the type of the value, since Kubernetes 1.35 a scalar value itself. */
function failure(
  reason: string | undefined,
  field: string,
  { type, value }: Place,
  detail: string,
): FieldError {
  const shown = typeof value === 'object' ? OMITTED : printed(value)
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
