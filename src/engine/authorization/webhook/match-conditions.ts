/**
 * kubernetes.io, "Authorization". `request` is a v1 SubjectAccessReview's spec with all strings
 * set. Messages recorded from kube-apiserver 1.31.
 */
import { compile, type Program } from '../../cel/compile'
import type { Environment } from '../../cel/environment'
import { activationOf } from '../../cel/evaluation/frame'
import { serverEnvironment } from '../../cel/server-environment'
import { formatType, listOf, mapOf, object, STRING, type Type } from '../../cel/types/type'
import { valueOfJson } from '../../cel/values/json'
import { aggregateMessage } from '../../core/aggregate-message'
import { isJsonObject, type JsonObject } from '../../core/object'
import type { MatchConditions } from './authorizer'

const COST_LIMIT = 10_000_000

const RESOURCE_TEXTS = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name']
const PATH_TEXTS = ['path', 'verb']

export class ConditionCompiler {
  private readonly environment: Environment

  /**
   * @param selectors feature gate AuthorizeWithSelectors
   * @param release absent: 1.31
   */
  constructor(
    private readonly selectors: boolean,
    release?: string,
  ) {
    this.environment = serverEnvironment(
      { request: requestType(selectors) },
      { use: 'new', strictCost: false, release },
    )
  }

  problem(expression: string): string | undefined {
    const compiled = this.compiled(expression)
    return typeof compiled === 'string' ? compiled : undefined
  }

  /** @throws Error for an invalid expression */
  conditions(expressions: readonly string[]): MatchConditions {
    const programs = expressions.map((expression): [string, Program] => {
      const compiled = this.compiled(expression)
      if (typeof compiled === 'string') throw new Error(compiled)
      return [expression, compiled]
    })
    return { matches: (spec) => evaluated(programs, this.shown(spec)) }
  }

  private compiled(expression: string): Program | string {
    const { program, issues, failed } = compile(expression, this.environment)
    if (program === undefined)
      return `${failed === 'compilation' ? 'compilation failed' : 'instantiation failed'}: ${issues}`
    return program.type.kind === 'bool'
      ? program
      : `must evaluate to bool but got ${formatType(program.type)}`
  }

  private shown(spec: JsonObject): JsonObject {
    const { resourceAttributes, nonResourceAttributes } = spec
    return {
      user: spec.user ?? '',
      groups: spec.groups ?? [],
      uid: spec.uid ?? '',
      extra: spec.extra ?? {},
      ...(isJsonObject(resourceAttributes)
        ? {
            resourceAttributes: {
              ...texts(resourceAttributes, RESOURCE_TEXTS),
              ...(this.selectors ? selectorsOf(resourceAttributes) : {}),
            },
          }
        : {}),
      ...(isJsonObject(nonResourceAttributes)
        ? { nonResourceAttributes: texts(nonResourceAttributes, PATH_TEXTS) }
        : {}),
    }
  }
}

const texts = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? '']))

function selectorsOf({ fieldSelector, labelSelector }: JsonObject): JsonObject {
  return {
    ...(fieldSelector ? { fieldSelector } : {}),
    ...(labelSelector ? { labelSelector } : {}),
  }
}

/** One false condition decides; otherwise all errors are reported. */
function evaluated(
  programs: readonly [string, Program][],
  request: JsonObject,
): boolean | { error: string } {
  const activation = activationOf({ request: valueOfJson(request) })
  const errors: string[] = []
  for (const [expression, program] of programs) {
    const { value, error } = program.evaluate(activation, { limit: COST_LIMIT })
    if (value === false) return false
    if (error !== undefined)
      errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${error}`)
  }
  return errors.length === 0 ? true : { error: aggregateMessage(errors) }
}

const struct = (name: string, fields: Record<string, Type>): Type =>
  object(`kubernetes.${name}`, new Map(Object.entries(fields)))
const textFields = (names: readonly string[]): Record<string, Type> =>
  Object.fromEntries(names.map((name) => [name, STRING]))

function requestType(selectors: boolean): Type {
  const selector = (kind: 'Field' | 'Label'): Type =>
    struct(`${kind}SelectorAttributes`, {
      rawSelector: STRING,
      requirements: listOf(
        struct(`${kind}SelectorRequirement`, {
          key: STRING,
          operator: STRING,
          values: listOf(STRING),
        }),
      ),
    })
  const limits: Record<string, Type> = selectors
    ? { fieldSelector: selector('Field'), labelSelector: selector('Label') }
    : {}
  return struct('SubjectAccessReviewSpec', {
    resourceAttributes: struct('ResourceAttributes', { ...textFields(RESOURCE_TEXTS), ...limits }),
    nonResourceAttributes: struct('NonResourceAttributes', textFields(PATH_TEXTS)),
    user: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
    uid: STRING,
  })
}
