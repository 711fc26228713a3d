/** Matches requests with FlowSchemas. kubernetes.io, "API Priority and Fairness". */
import type { UserInfo } from '../authentication/authenticator'
import type { KubeObject } from '../core/object'

interface Named {
  name?: string
  namespace?: string
}

export interface Subject {
  kind?: string
  user?: Named | null
  group?: Named | null
  serviceAccount?: Named | null
}

export interface ResourceRule {
  verbs?: string[] | null
  apiGroups?: string[] | null
  resources?: string[] | null
  clusterScope?: boolean
  namespaces?: string[] | null
}

export interface NonResourceRule {
  verbs?: string[] | null
  nonResourceURLs?: string[] | null
}

export interface Rule {
  subjects?: Subject[] | null
  resourceRules?: ResourceRule[] | null
  nonResourceRules?: NonResourceRule[] | null
}

export interface FlowSchema extends KubeObject {
  spec?: {
    matchingPrecedence?: number
    distinguisherMethod?: { type?: string } | null
    priorityLevelConfiguration?: { name?: string }
    rules?: Rule[] | null
  }
}

export interface RequestInfo {
  verb: string
  isResource: boolean
  path: string
  group: string
  resource: string
  subresource: string
  namespace: string
}

const ANY = '*'
const ACCOUNT = 'system:serviceaccount:'

export const levelOf = ({ spec }: FlowSchema): string =>
  spec?.priorityLevelConfiguration?.name ?? ''

export function inOrder(a: FlowSchema, b: FlowSchema): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0)
  return difference !== 0 ? difference : (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}

export function isAbout({ subjects }: Rule, user: Pick<UserInfo, 'name' | 'groups'>): boolean {
  return (subjects ?? []).some((subject) => {
    const { kind } = subject
    if (kind === 'User') return subject.user?.name === ANY || subject.user?.name === user.name
    if (kind === 'Group')
      return subject.group?.name === ANY || user.groups.includes(subject.group?.name ?? '')
    if (kind !== 'ServiceAccount' || !subject.serviceAccount) return false
    const { namespace = '', name = '' } = subject.serviceAccount
    const inNamespace = `${ACCOUNT}${namespace}:`
    return name === ANY ? user.name.startsWith(inNamespace) : user.name === inNamespace + name
  })
}

const has = (list: readonly string[] | null | undefined, one: string): boolean =>
  list != null && (list[0] === ANY ? true : list.includes(one))

/** `pods` does not match `pods/log`. */
export function coversResource(
  rule: ResourceRule,
  { verb, group, resource, subresource, namespace }: RequestInfo,
): boolean {
  if (!has(rule.verbs, verb) || !has(rule.apiGroups, group)) return false
  if (!has(rule.resources, subresource === '' ? resource : `${resource}/${subresource}`))
    return false
  return namespace === '' ? rule.clusterScope === true : has(rule.namespaces, namespace)
}

/** Matches everything below, even without a trailing `/*`. */
export function coversPath(
  { verbs, nonResourceURLs }: NonResourceRule,
  { verb, path }: RequestInfo,
): boolean {
  if (!has(verbs, verb)) return false
  return (nonResourceURLs ?? []).some((url) => {
    if (url === ANY || url === path) return true
    const prefix = url.endsWith(ANY) ? url.slice(0, -1) : url
    return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
  })
}

const isAny = (list: readonly string[] | null | undefined): boolean => list?.[0] === ANY

export const coversAllResources = ({
  verbs,
  apiGroups,
  resources,
  namespaces,
  clusterScope,
}: ResourceRule): boolean =>
  isAny(verbs) && isAny(apiGroups) && isAny(resources) && isAny(namespaces) && clusterScope === true

export const coversAllPaths = ({ verbs, nonResourceURLs }: NonResourceRule): boolean =>
  isAny(verbs) && isAny(nonResourceURLs)
