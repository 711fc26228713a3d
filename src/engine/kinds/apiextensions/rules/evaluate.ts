/**
 * Recorded from kube-apiserver 1.31 (`policy-crd-rules`). Violations in unchanged parts may be
 * warnings, so that objects older than a rule can be updated (KEP-4008).
 */
import { valueOfJson } from '../../../cel/values/json'
import { isJsonObject, type Json, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { escapeName } from '../../../validation/custom-objects/property-names'
import {
  formerItems,
  isUnchanged,
  NEVER_UNCHANGED,
} from '../../../validation/custom-objects/unchanged'
import type { ExpressionTimes } from '../../../webhooks/metrics'
import { type CompiledRule, compileRules, rulesIn } from './compiled-rules'
import { type DeclaredType, declaredType } from './declared-type'
import { hasRules } from './definition-errors'
import { Evaluation, type RuleOutcome } from './evaluation'
import { literalIn, ruleValueOf } from './values'

const UNTIMED: ExpressionTimes = { time: (_, run) => run() }

export interface EvaluateOptions {
  times?: ExpressionTimes
  /** Reports violations in unchanged values as warnings; false for `status`. */
  spares?: boolean
}

/**
 * Undeclared properties and untyped `x-kubernetes-preserve-unknown-fields` evaluate no rules;
 * undeclared items and additional properties with rules are errors (k8s.io/apiextensions-apiserver,
 * pkg/apiserver/schema/cel/validation.go).
 */
export class SchemaRules {
  /** `unseen`: no CEL type. */
  private compiled: CompiledRule[] | 'unseen' | undefined
  private readonly properties: ReadonlyMap<string, SchemaRules>
  private readonly members: SchemaRules | undefined
  private readonly items: SchemaRules | undefined

  /** @returns undefined without rules */
  static of(schema: JsonObject, isRoot = true, release?: string): SchemaRules | undefined {
    if (!hasRules(schema)) return undefined
    return SchemaRules.within(
      schema,
      isRoot,
      declaredType(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true),
      release,
    )
  }

  /** @param declared undefined: the context does not declare it */
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

  evaluate(
    object: JsonObject,
    old?: JsonObject,
    { times = UNTIMED, spares = true }: EvaluateOptions = {},
  ): RuleOutcome {
    const evaluation = new Evaluation(spares, times)
    this.check(evaluation, { value: object, old, path: '', surroundings: CHANGED })
    return evaluation
  }

  evaluateDefault(value: Json, path: string): FieldError[] {
    const evaluation = new Evaluation(false, UNTIMED)
    this.check(evaluation, { value, old: value, path, surroundings: CHANGED })
    return evaluation.errors
  }

  /** @returns false to stop */
  private check(evaluation: Evaluation, found: Found): boolean {
    const { value, old } = found
    if (value === undefined || value === null) return true
    // Without correlated old value the context decides.
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

  /** Items of map lists correlate by keys. */
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

/** A member with an inexpressible name has its own type. */
function declaredMember(
  around: DeclaredType | undefined,
  name: string,
  schema: JsonObject,
): DeclaredType | undefined {
  const escaped = escapeName(name)
  return escaped === undefined ? declaredType(schema) : around?.fields?.get(escaped)
}

interface Found {
  value: Json | undefined
  old: Json | undefined
  path: string
  /** The innermost enclosing value with a correlated old one is unchanged. */
  surroundings: () => boolean
  /** Counts as changed in any case. */
  isNew?: boolean
  /** The number's text, where JavaScript loses precision. */
  literal?: string | undefined
  oldLiteral?: string | undefined
}

/** In a new object nothing is unchanged. */
const CHANGED = (): boolean => false

function once(find: () => boolean): () => boolean {
  let found: boolean | undefined
  return () => {
    found ??= find()
    return found
  }
}

const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type : '')
