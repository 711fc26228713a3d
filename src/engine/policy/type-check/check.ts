/**
 * Checks the types of expressions, for warnings (kubernetes.io, "Type checking"). Recording:
 * cluster-policies.
 */
import type { Type } from '../../cel/types/type'
import { type GroupVersionKind, parseApiVersion } from '../../core/object'
import type { StructType } from '../../schema/model'
import { compileExpression, type Declarations, declareVariables } from '../compile'
import type { ExpressionWarning, PolicySpec, Rule } from '../objects'
import { typeOfKind } from './types'

/** A rule with as many kinds ends the search. */
const MAX_KINDS = 10

export interface ServedKind extends GroupVersionKind {
  type: StructType
}

export interface ServedKinds {
  /** By plural or singular, ignoring case; group "" matches any. */
  named(group: string, version: string, resource: string): readonly ServedKind[]
  byKind(group: string, version: string, kind: string): ServedKind | undefined
}

export function typeWarnings(
  spec: PolicySpec,
  served: ServedKinds,
  release?: string,
): ExpressionWarning[] {
  const kinds = kindsIn(spec, served)
  const params = paramsType(spec, served)
  const check = (expression: string): string =>
    kinds.flatMap((kind) => problemWith(expression, spec, kind, params, release)).join('\n')
  return (spec.validations ?? []).flatMap(({ expression = '', messageExpression = '' }, i) => {
    const path = `spec.validations[${i}]`
    const places: [string, string][] = [[`${path}.expression`, expression]]
    if (messageExpression !== '') places.push([`${path}.messageExpression`, messageExpression])
    return places.flatMap(([fieldRef, text]) => {
      const warning = check(text)
      return warning === '' ? [] : [{ fieldRef, warning }]
    })
  })
}

export interface CheckedKind extends GroupVersionKind {
  type: Type
}

/** Skips wildcards and subresources. */
export function kindsIn({ matchConstraints }: PolicySpec, served: ServedKinds): CheckedKind[] {
  const found = new Map<string, CheckedKind>()
  for (const rule of matchConstraints?.resourceRules ?? []) {
    const named = resourcesOf(rule, served)
    for (const { group, version, kind, type } of named.slice(0, MAX_KINDS)) {
      found.set(`${group} ${version} ${kind}`, {
        group,
        version,
        kind,
        type: typeOfKind(type, kind),
      })
    }
    if (named.length >= MAX_KINDS) break
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? [])
}

function resourcesOf(
  { apiGroups, apiVersions, resources }: Rule,
  served: ServedKinds,
): ServedKind[] {
  if ([...(apiGroups ?? []), ...(apiVersions ?? [])].some((name) => name.includes('*'))) return []
  const plain = (resources ?? []).filter((name) => !/[*/]/.test(name)).sort()
  return [...(apiGroups ?? [])]
    .sort()
    .flatMap((group) =>
      [...(apiVersions ?? [])]
        .sort()
        .flatMap((version) => plain.flatMap((name) => served.named(group, version, name))),
    )
}

/** Undefined if not served. */
export function paramsType({ paramKind }: PolicySpec, served: ServedKinds): Type | undefined {
  if (!paramKind) return undefined
  const { group, version } = parseApiVersion(paramKind.apiVersion ?? '')
  const resource = served.byKind(group, version, paramKind.kind ?? '')
  return resource && typeOfKind(resource.type, resource.kind)
}

export function declarationsFor(kind: CheckedKind, params: Type | undefined): Declarations {
  const types = { object: kind.type, ...(params === undefined ? {} : { params }) }
  return { params: params !== undefined, authorizer: true, types }
}

function problemWith(
  expression: string,
  { variables }: PolicySpec,
  kind: CheckedKind,
  params: Type | undefined,
  release: string | undefined,
): string[] {
  const { declared } = declareVariables(variables ?? [], {
    ...declarationsFor(kind, params),
    release,
  })
  const compiled = compileExpression(expression, 'anything', declared)
  if (compiled.program !== undefined) return []
  const of = `${kind.group}/${kind.version}, Kind=${kind.kind}`
  return [
    `${of}: ${compiled.kind === 'internal' ? `type checking error: ${compiled.problem}` : compiled.issues}\n`,
  ]
}
