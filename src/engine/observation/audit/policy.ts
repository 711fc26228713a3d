/** The audit policy (audit.k8s.io/v1): how much is written down of which request (public documentation, "Auditing"). */
import type { UserInfo } from '../../authentication/authenticator'
import { toYaml } from '../../encoding/yaml'
import { isJsonObject, type Json, type JsonObject } from '../../object'
import { readYaml } from '../../schema/yaml-reader'
import type { Asked } from '../trace'

export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type Level = (typeof LEVELS)[number]

export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const
export type AuditStage = (typeof STAGES)[number]

interface ResourceRule {
  group: string
  resources: string[]
  resourceNames: string[]
}

/** Empty lists ask for nothing. */
interface Rule {
  level: Level
  users: string[]
  userGroups: string[]
  verbs: string[]
  resources: ResourceRule[]
  namespaces: string[]
  nonResourceURLs: string[]
  omitStages: AuditStage[]
  omitManagedFields: boolean
}

export interface AuditPolicy {
  rules: Rule[]
}

/** What is written of one request. */
export interface Ruling {
  level: Level
  omitStages: ReadonlySet<AuditStage>
  omitManagedFields: boolean
}

/** A policy that cannot be followed; the message names the place. */
export class PolicyError extends Error {}

const NOTHING: Ruling = { level: 'None', omitStages: new Set(), omitManagedFields: false }

/** The first rule that fits decides; a request that none fits is not written down. */
export function rulingFor(policy: AuditPolicy, asked: Asked, user: UserInfo): Ruling {
  const rule = policy.rules.find((one) => fits(one, asked, user))
  if (rule === undefined) return NOTHING
  return { level: rule.level, omitStages: new Set(rule.omitStages), omitManagedFields: rule.omitManagedFields }
}

function fits(rule: Rule, asked: Asked, user: UserInfo): boolean {
  if (rule.users.length > 0 && !rule.users.includes(user.name)) return false
  if (rule.userGroups.length > 0 && !user.groups.some((group) => rule.userGroups.includes(group))) return false
  if (rule.verbs.length > 0 && !rule.verbs.includes(asked.verb)) return false
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    if (!asked.isResource) return false
    if (rule.namespaces.length > 0 && !rule.namespaces.includes(asked.namespace)) return false
    return rule.resources.length === 0 || rule.resources.some((resource) => fitsResource(resource, asked))
  }
  if (rule.nonResourceURLs.length > 0) return !asked.isResource && rule.nonResourceURLs.some((pattern) => fitsPath(pattern, asked.path))
  return true
}

function fitsResource({ group, resources, resourceNames }: ResourceRule, asked: Asked): boolean {
  if (group !== asked.group) return false
  if (resources.length === 0) return true
  if (resourceNames.length > 0 && !resourceNames.includes(asked.name)) return false
  const { resource, subresource } = asked
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  return resources.some(
    (one) => one === '*' || one === full || one === `${resource}/*` || (subresource !== '' && one === `*/${subresource}`),
  )
}

/** `*` ends a pattern; alone it is every path. */
function fitsPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path
}

/**
 * @param text YAML or JSON of a Policy
 * @throws PolicyError naming the place of what is wrong
 */
export const parseAuditPolicy = (text: string): AuditPolicy => auditPolicyOf(read(text))

/** A Policy as a person writes one. */
export const auditPolicyText = (policy: JsonObject): string => toYaml(policy)

/**
 * @param value a Policy, read
 * @throws PolicyError naming the place of what is wrong
 */
export function auditPolicyOf(value: Json): AuditPolicy {
  if (!isJsonObject(value)) throw new PolicyError('the audit policy is empty')
  if (value.kind !== 'Policy' || value.apiVersion !== 'audit.k8s.io/v1')
    throw new PolicyError(
      `the audit policy must be kind Policy of audit.k8s.io/v1, not ${String(value.kind)} of ${String(value.apiVersion)}`,
    )
  const omitted = stages(value.omitStages, 'omitStages')
  const rules = list(value.rules, 'rules').map((rule, i) => readRule(rule, `rules[${i}]`, omitted, value.omitManagedFields === true))
  if (rules.length === 0) throw new PolicyError('the audit policy has no rules')
  return { rules }
}

function read(text: string): Json {
  try {
    return readYaml(text).value
  } catch (error) {
    throw new PolicyError(`the audit policy cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readRule(value: Json, path: string, omitted: AuditStage[], omitManagedFields: boolean): Rule {
  const rule = object(value, path)
  const level = LEVELS.find((one) => one === rule.level)
  if (level === undefined)
    throw new PolicyError(`${path}.level: Unsupported value: ${JSON.stringify(rule.level ?? '')}: ${LEVELS.join(', ')}`)
  const nonResourceURLs = texts(rule.nonResourceURLs, `${path}.nonResourceURLs`)
  const resources = list(rule.resources, `${path}.resources`).map((one, i) => readResource(one, `${path}.resources[${i}]`))
  const namespaces = texts(rule.namespaces, `${path}.namespaces`)
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0))
    throw new PolicyError(`${path}.nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs`)
  return {
    level,
    users: texts(rule.users, `${path}.users`),
    userGroups: texts(rule.userGroups, `${path}.userGroups`),
    verbs: texts(rule.verbs, `${path}.verbs`),
    resources,
    namespaces,
    nonResourceURLs,
    omitStages: [...omitted, ...stages(rule.omitStages, `${path}.omitStages`)],
    omitManagedFields: typeof rule.omitManagedFields === 'boolean' ? rule.omitManagedFields : omitManagedFields,
  }
}

function readResource(value: Json, path: string): ResourceRule {
  const rule = object(value, path)
  const resources = texts(rule.resources, `${path}.resources`)
  const resourceNames = texts(rule.resourceNames, `${path}.resourceNames`)
  if (resourceNames.length > 0 && resources.length === 0)
    throw new PolicyError(`${path}.resourceNames: using resourceNames requires at least one resource`)
  return { group: typeof rule.group === 'string' ? rule.group : '', resources, resourceNames }
}

function stages(value: Json | undefined, path: string): AuditStage[] {
  return texts(value, path).map((text, i) => {
    const stage = STAGES.find((one) => one === text)
    if (stage === undefined) throw new PolicyError(`${path}[${i}]: Unsupported value: ${JSON.stringify(text)}: ${STAGES.join(', ')}`)
    return stage
  })
}

function object(value: Json, path: string): JsonObject {
  if (!isJsonObject(value)) throw new PolicyError(`${path}: must be an object`)
  return value
}

function list(value: Json | undefined, path: string): Json[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new PolicyError(`${path}: must be a list`)
  return value
}

function texts(value: Json | undefined, path: string): string[] {
  return list(value, path).map((one, i) => {
    if (typeof one !== 'string') throw new PolicyError(`${path}[${i}]: must be a string`)
    return one
  })
}
