/** Whether a rule of a role covers a request (document 2, "Rules"). */
import type { Attributes } from '../authorizer'

export interface PolicyRule {
  /** Always written, so `null` where nothing is set. */
  verbs: string[] | null
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}

const has = (list: string[] | null | undefined, value: string): boolean =>
  list !== undefined && list !== null && (list.includes('*') || list.includes(value))

export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false
  if (!attributes.isResource) return (rule.nonResourceURLs ?? []).some((pattern) => pathMatches(pattern, attributes.path))
  return (
    has(rule.apiGroups, attributes.group) &&
    resourceMatches(rule.resources ?? [], attributes) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(attributes.name))
  )
}

/** `pods`, `pods/log`, `*`, and `*∕scale` for a subresource of any resource. */
function resourceMatches(resources: string[], { resource, subresource }: Attributes): boolean {
  const wanted = subresource === '' ? resource : `${resource}/${subresource}`
  return resources.some((entry) => entry === '*' || entry === wanted || (subresource !== '' && entry === `*/${subresource}`))
}

/** `/healthz`, or everything below with a star at the end. */
function pathMatches(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)))
}
