/**
 * Checks the expressions of a policy against the kinds that it matches: what comes out are warnings, as the policy works all the
 * same (public documentation, "Type checking"; recorded: cluster-policies).
 */
import type { Type } from '../../expressions/types/type'
import { type GroupVersionKind, parseApiVersion } from '../../object'
import { compileExpression, declareVariables } from '../../policy/compile'
import type { ExpressionWarning, PolicySpec, Rule } from '../../policy/objects'
import type { Resource } from '../../registry/resource'
import { typeOf } from './types'

const MAX_KINDS = 10

/** What is served, as far as checking needs to know it. */
export interface ServedKinds {
  find(group: string, version: string, resource: string): Resource | undefined
  byKind(group: string, version: string, kind: string): Resource | undefined
}

export function typeWarnings(spec: PolicySpec, served: ServedKinds): ExpressionWarning[] {
  const kinds = kindsIn(spec, served)
  const params = paramsType(spec, served)
  const check = (expression: string): string => kinds.flatMap((kind) => problemWith(expression, spec, kind, params)).join('\n')
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

interface Kind extends GroupVersionKind {
  type: Type
}

/** Rules with wildcards for group or version are given up, as are resources with one, and subresources. */
function kindsIn({ matchConstraints }: PolicySpec, served: ServedKinds): Kind[] {
  const found = new Map<string, Kind>()
  for (const rule of matchConstraints?.resourceRules ?? []) {
    for (const { group, version, kind, type } of resourcesOf(rule, served)) {
      if (found.size < MAX_KINDS) found.set(`${group} ${version} ${kind}`, { group, version, kind, type: typeOf(type) })
    }
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? [])
}

function resourcesOf({ apiGroups, apiVersions, resources }: Rule, served: ServedKinds): Resource[] {
  if ([...(apiGroups ?? []), ...(apiVersions ?? [])].some((name) => name.includes('*'))) return []
  const plain = (resources ?? []).filter((name) => !/[*/]/.test(name)).sort()
  return [...(apiGroups ?? [])]
    .sort()
    .flatMap((group) =>
      [...(apiVersions ?? [])].sort().flatMap((version) => plain.flatMap((name) => served.find(group, version, name) ?? [])),
    )
}

/** Undefined: the policy has no parameters, or of a kind that nobody serves. */
function paramsType({ paramKind }: PolicySpec, served: ServedKinds): Type | undefined {
  if (!paramKind) return undefined
  const { group, version } = parseApiVersion(paramKind.apiVersion ?? '')
  const resource = served.byKind(group, version, paramKind.kind ?? '')
  return resource && typeOf(resource.type)
}

function problemWith(expression: string, { variables }: PolicySpec, kind: Kind, params: Type | undefined): string[] {
  const types = { object: kind.type, ...(params === undefined ? {} : { params }) }
  const { declared } = declareVariables(variables ?? [], { params: params !== undefined, authorizer: true, types })
  const compiled = compileExpression(expression, 'anything', declared)
  if (compiled.program !== undefined) return []
  const of = `${kind.group === '' ? kind.version : `${kind.group}/${kind.version}`}, Kind=${kind.kind}`
  return [`${of}: ${compiled.kind === 'internal' ? `type checking error: ${compiled.problem}` : compiled.issues}\n`]
}
