/**
 * The rules of a custom resource's schema, applied to an object (messages, order and budgets recorded: policy-crd-rules). A rule
 * on what has not changed may warn only: what was stored before the rule came is not refused for it.
 */
import type { Program } from '../../../cel/compile'
import { activationOf } from '../../../cel/evaluation/frame'
import { valueOfJson } from '../../../cel/values/json'
import { OptionalValue, type Value } from '../../../cel/values/value'
import type { FieldError } from '../../../http/status'
import { isJsonObject, type Json, type JsonObject } from '../../../object'
import { goTrim } from '../../../schema/go-text'
import type { ExpressionTimes } from '../../../webhooks/metrics'
import { duplicate, forbiddenField, invalidValue, required } from '../../field-errors'
import { escapeName } from '../../rules/custom-objects/property-names'
import { formerItems, isUnchanged, NEVER_UNCHANGED } from '../../rules/custom-objects/unchanged'
import { type CompiledRule, compileRules, type Rule, rulesIn } from './compiled-rules'
import { type DeclaredType, declaredType } from './declared-type'
import { hasRules } from './definition-errors'
import { readFieldPath } from './field-path'
import { literalIn, ruleValueOf } from './values'

/** Steps that one expression, and all expressions for one object, may take. */
export const CALL_LIMIT = 1_000_000
export const OBJECT_LIMIT = 10_000_000
const MAX_MESSAGE_BYTES = 5120

const UNTIMED: ExpressionTimes = { time: (_, run) => run() }

export interface RuleOutcome {
  errors: FieldError[]
  /** What would be errors, had the value they are about changed. */
  warnings: string[]
}

export interface EvaluateOptions {
  /** Where it is written down how long it took. */
  times?: ExpressionTimes
  /** Whether what a rule finds wrong of something unchanged is warned of only; a write to the status alone spares nothing (recorded). */
  spares?: boolean
}

/**
 * The rules of a schema and of what is in it, as far as what is around it is declared to rules (the real server's public sources):
 * members that are not declared are passed over with all rules below them, so below `x-kubernetes-preserve-unknown-fields` without a
 * type nothing is judged; items and additional members that are not declared are refused where they have rules of their own.
 */
export class SchemaRules {
  /** `unseen`: rules cannot see the schema's values. */
  private compiled: CompiledRule[] | 'unseen' | undefined
  private readonly properties: ReadonlyMap<string, SchemaRules>
  private readonly members: SchemaRules | undefined
  private readonly items: SchemaRules | undefined

  /** @returns undefined for a schema without rules: nothing is to be done for its objects */
  static of(schema: JsonObject, isRoot = true): SchemaRules | undefined {
    if (!hasRules(schema)) return undefined
    return SchemaRules.within(
      schema,
      isRoot,
      declaredType(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true),
    )
  }

  /** @param declared what the schema declares where it stands; undefined: nothing */
  private static within(
    schema: JsonObject,
    isRoot: boolean,
    declared: DeclaredType | undefined,
  ): SchemaRules | undefined {
    const rules = new SchemaRules(schema, isRoot, declared)
    return rules.isEmpty() ? undefined : rules
  }

  private constructor(
    private readonly schema: JsonObject,
    private readonly isRoot: boolean,
    declared: DeclaredType | undefined,
  ) {
    const { properties, additionalProperties, items } = schema
    const inner = (child: Json | undefined) =>
      isJsonObject(child) && hasRules(child)
        ? SchemaRules.within(child, false, declared?.element)
        : undefined
    if (rulesIn(schema).length === 0) this.compiled = []
    else if (declared === undefined) this.compiled = 'unseen'
    this.properties = new Map(
      Object.entries(isJsonObject(properties) ? properties : {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, child]) => {
          if (!isJsonObject(child) || !hasRules(child)) return []
          const member = declaredMember(declared, name, child)
          const rules = member && SchemaRules.within(child, false, member)
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

  /** @param old the object before, if there is one */
  evaluate(
    object: JsonObject,
    old?: JsonObject,
    { times = UNTIMED, spares = true }: EvaluateOptions = {},
  ): RuleOutcome {
    const judgement = new Evaluation(spares, times)
    this.check(judgement, { value: object, old, path: '', surroundings: CHANGED })
    return judgement
  }

  /** A default is judged as if it had been there before. @param path of the default in the definition */
  evaluateDefault(value: Json, path: string): FieldError[] {
    const judgement = new Evaluation(false, UNTIMED)
    this.check(judgement, { value, old: value, path, surroundings: CHANGED })
    return judgement.errors
  }

  /** @returns false if nothing more is to be looked at */
  private check(judgement: Evaluation, found: Found): boolean {
    const { value, old } = found
    if (value === undefined || value === null) return true
    // What has no counterpart is as it was where what is around it is.
    const unchanged = found.isNew
      ? CHANGED
      : old === undefined
        ? found.surroundings
        : once(() => isUnchanged(this.schema, value, old))
    if (!this.ownRules(judgement, value, found, unchanged)) return false
    if (Array.isArray(value)) return this.checkItems(judgement, value, found, unchanged)
    return isJsonObject(value) ? this.checkMembers(judgement, value, found, unchanged) : true
  }

  private ownRules(
    judgement: Evaluation,
    value: Json,
    { old, path, literal, oldLiteral }: Found,
    isUnchanged: () => boolean,
  ): boolean {
    const { times } = judgement
    this.compiled ??= times.time(
      'compilation',
      () => compileRules(this.schema, this.isRoot, 'stored')?.rules ?? 'unseen',
    )
    const { compiled, schema, isRoot } = this
    if (compiled === 'unseen') return judgement.cannotSee(path, typeOf(schema))
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
      schema,
      isUnchanged,
      optional: isWhole ? valueOfJson(old) : before,
    }
    return times.time('evaluation', () =>
      compiled.every((rule) => judgement.apply(rule, self, before, place)),
    )
  }

  private checkItems(
    judgement: Evaluation,
    list: Json[],
    { old, path }: Found,
    surroundings: () => boolean,
  ): boolean {
    const { items } = this
    if (items === undefined) return true
    const before = this.counterparts(old)
    return list.every((item, index) =>
      items.check(judgement, {
        value: item,
        old: before?.(item),
        path: `${path}[${index}]`,
        surroundings,
        literal: literalIn(list, index, item),
      }),
    )
  }

  /** Items have counterparts in the list before where they have keys. */
  private counterparts(old: Json | undefined): ((item: Json) => Json | undefined) | undefined {
    return Array.isArray(old) ? formerItems(this.schema, old) : undefined
  }

  private checkMembers(
    judgement: Evaluation,
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
        .every((name) => members.check(judgement, member(name, `${path}[${name}]`)))
    }
    for (const [name, rules] of this.properties) {
      if (
        Object.hasOwn(object, name) &&
        !rules.check(judgement, member(name, path === '' ? name : `${path}.${name}`))
      )
        return false
    }
    return true
  }
}

/** What a member is declared as; one whose name rules cannot say speaks for itself. */
function declaredMember(
  around: DeclaredType | undefined,
  name: string,
  schema: JsonObject,
): DeclaredType | undefined {
  const escaped = escapeName(name)
  return escaped === undefined ? declaredType(schema) : around?.fields?.get(escaped)
}

/** A value where it was found. */
interface Found {
  value: Json | undefined
  /** Its counterpart in the object before. */
  old: Json | undefined
  path: string
  /** Whether the innermost of what is around it that has a counterpart is as it was. */
  surroundings: () => boolean
  /** It counts as changed, though it may have a counterpart. */
  isNew?: boolean
  /** Numbers as they were written, where JavaScript numbers are less exact. */
  literal?: string | undefined
  oldLiteral?: string | undefined
}

/** Of an object that was not there before. */
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
  /** As the schema names it, for errors. */
  type: string
  schema: JsonObject
  /** Since the object before. */
  isUnchanged(): boolean
  /** The value before as an optional one holds it: what has parts is without its schema (cel-go, interpreter/attributes.go). */
  optional: Value | undefined
}

class Evaluation implements RuleOutcome {
  readonly errors: FieldError[] = []
  readonly warnings: string[] = []
  /** Steps that are left for the object. */
  private remaining = OBJECT_LIMIT

  constructor(
    private readonly spares: boolean,
    readonly times: ExpressionTimes,
  ) {}

  /** Of a value that rules cannot see. @returns true: what is in it is looked at */
  cannotSee(path: string, type: string): boolean {
    const why =
      'rule compiler initialization error: failed to convert to declType for CEL validation rules'
    this.errors.push(invalidValue(fieldOf(path), type, why))
    return true
  }

  /** @returns false if no further rule is to be looked at */
  apply(
    { rule, program, problem, usesOldSelf, message }: CompiledRule,
    self: Value,
    old: Value | undefined,
    place: Place,
  ): boolean {
    // Only what a rule finds wrong is warned of: a rule that fails itself is an error, whatever has changed.
    const report = (error: FieldError) => {
      if (this.spares && !usesOldSelf && place.isUnchanged())
        this.warnings.push(`${error.field}: ${error.detail}`)
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
      // Messages see the value before as it is, also where the rule sees an optional one (recorded: rule-transitions).
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
      report(failure(rule.reason, field, place.type, detail))
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
    report(failure(rule.reason, field, place.type, usableMessage(value) ?? detail))
    return true
  }
}

const optionalOf = (value: Value | undefined): OptionalValue =>
  value === undefined ? OptionalValue.none : new OptionalValue(value)

/** @returns undefined for what is no message, by which another stands in for it */
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

/** A rule in errors about itself. */
const ruleText = ({ rule, message }: Rule): string => (message ? goTrim(message) : goTrim(rule))

function failure(
  reason: string | undefined,
  field: string,
  type: string,
  detail: string,
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail)
    case 'FieldValueRequired':
      return required(field, detail)
    case 'FieldValueDuplicate':
      return duplicate(field, type)
    default:
      return invalidValue(field, type, detail)
  }
}
