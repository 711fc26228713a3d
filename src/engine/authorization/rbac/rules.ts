/** kubernetes.io, "Referring to resources". Recorded from kube-apiserver 1.31. */
import { goTrimRight } from '../../schema/go-text'
import type { Attributes } from '../authorizer'

export interface PolicyRule {
  /** `null` if unset. */
  verbs: string[] | null
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}

export const ALL = '*'

const has = (list: string[] | null | undefined, value: string): boolean =>
  list !== undefined && list !== null && (list.includes(ALL) || list.includes(value))

export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false
  if (!attributes.isResource)
    return (rule.nonResourceURLs ?? []).some((pattern) => pathCovers(pattern, attributes.path))
  return (
    has(rule.apiGroups, attributes.group) &&
    resourceMatches(rule.resources ?? [], attributes) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(attributes.name))
  )
}

/** `pods`, `pods/log`, `*`, `*∕scale` */
function resourceMatches(resources: string[], { resource, subresource }: Attributes): boolean {
  if (resources.includes(ALL)) return true
  if (subresource === '') return resources.includes(resource)
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
}

/** `/healthz`, `/apis/*` */
export function pathCovers(pattern: string, path: string): boolean {
  if (pattern === path) return true
  return pattern.endsWith(ALL) && path.startsWith(goTrimRight(pattern, ALL))
}
