/** audit.k8s.io/v1 (kubernetes.io, "Audit policy"). */
import type { UserInfo } from '../../authentication/authenticator'
import type { JsonObject } from '../../core/object'
import { toYaml } from '../../encoding/yaml'
import type { FieldError } from '../../http/status'
import {
  ConfigurationError,
  type ConfigurationKind,
  FLAG,
  list,
  readConfiguration,
  struct,
  TEXT,
  UnversionedConfiguration,
} from '../../schema/configuration-file'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidList } from '../../validation/go-literal'
import { dnsSubdomainProblems } from '../../validation/names'
import type { RequestAttributes } from '../trace'

const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type Level = (typeof LEVELS)[number]

const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const
export type AuditStage = (typeof STAGES)[number]

interface ResourceRule {
  group: string
  resources: string[]
  resourceNames: string[]
}

/** Empty: everything. */
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

export interface RequestAuditConfig {
  level: Level
  omitStages: ReadonlySet<AuditStage>
  omitManagedFields: boolean
}

export class PolicyError extends Error {}

const NOTHING: RequestAuditConfig = {
  level: 'None',
  omitStages: new Set(),
  omitManagedFields: false,
}

/** The first match decides; without one nothing is logged. */
export function evaluatePolicyRule(
  policy: AuditPolicy,
  attributes: RequestAttributes,
  user: UserInfo,
): RequestAuditConfig {
  const rule = policy.rules.find((one) => fits(one, attributes, user))
  if (rule === undefined) return NOTHING
  return {
    level: rule.level,
    omitStages: new Set(rule.omitStages),
    omitManagedFields: rule.omitManagedFields,
  }
}

function fits(rule: Rule, attributes: RequestAttributes, user: UserInfo): boolean {
  if (rule.users.length > 0 && !rule.users.includes(user.name)) return false
  if (rule.userGroups.length > 0 && !user.groups.some((group) => rule.userGroups.includes(group)))
    return false
  if (rule.verbs.length > 0 && !rule.verbs.includes(attributes.verb)) return false
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    if (!attributes.isResource) return false
    if (rule.namespaces.length > 0 && !rule.namespaces.includes(attributes.namespace)) return false
    return (
      rule.resources.length === 0 ||
      rule.resources.some((resource) => fitsResource(resource, attributes))
    )
  }
  if (rule.nonResourceURLs.length > 0)
    return (
      !attributes.isResource &&
      rule.nonResourceURLs.some((pattern) => fitsPath(pattern, attributes.path))
    )
  return true
}

function fitsResource(
  { group, resources, resourceNames }: ResourceRule,
  attributes: RequestAttributes,
): boolean {
  if (group !== attributes.group) return false
  if (resources.length === 0) return true
  if (resourceNames.length > 0 && !resourceNames.includes(attributes.name)) return false
  const { resource, subresource } = attributes
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  return resources.some(
    (one) =>
      one === '*' ||
      one === full ||
      one === `${resource}/*` ||
      (subresource !== '' && one === `*/${subresource}`),
  )
}

/** A final `*` is a prefix match. */
function fitsPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path
}

const TEXTS = list('[]string', TEXT)
const RESOURCES = struct('v1.GroupResources', {
  group: TEXT,
  resources: TEXTS,
  resourceNames: TEXTS,
})
const RULE = struct(
  'v1.PolicyRule',
  {
    level: TEXT,
    users: TEXTS,
    userGroups: TEXTS,
    verbs: TEXTS,
    resources: list('[]v1.GroupResources', RESOURCES),
    namespaces: TEXTS,
    nonResourceURLs: TEXTS,
    omitStages: list('[]v1.Stage', TEXT),
    omitManagedFields: FLAG,
  },
  ['omitManagedFields'],
)
const POLICY = struct('v1.Policy', {
  kind: TEXT,
  apiVersion: TEXT,
  metadata: { type: 'any', name: '', goType: 'v1.ObjectMeta' },
  rules: list('[]v1.PolicyRule', RULE),
  omitStages: list('[]v1.Stage', TEXT),
  omitManagedFields: FLAG,
})
const KIND: ConfigurationKind = {
  group: 'audit.k8s.io',
  kind: 'Policy',
  versions: ['v1'],
  isAssumed: true,
  typeOf: () => POLICY,
}

type Written = { [Member in keyof Rule]?: Rule[Member] | null } & {
  resources?: Partial<ResourceRule>[] | null
}

/**
 * @param tolerate receives unknown and duplicate fields
 * @throws PolicyError in kube-apiserver's format
 */
export const parseAuditPolicy = (
  text: string,
  tolerate: (problems: readonly string[]) => void = () => {},
): AuditPolicy => auditPolicyOf(read(text, tolerate))

export const auditPolicyText = (policy: JsonObject): string => toYaml(policy)

/** @throws PolicyError */
export function auditPolicyOf(given: JsonObject): AuditPolicy {
  const policy = given as {
    omitStages?: AuditStage[]
    omitManagedFields?: boolean
    rules?: Written[]
  }
  const written = policy.rules ?? []
  const omitted = policy.omitStages ?? []
  const errors = [
    ...stageErrors(omitted, 'omitStages'),
    ...written.flatMap((rule, i) => ruleErrors(rule, `rules[${i}]`)),
  ]
  const texts = [...new Set(errors.map(({ field, detail }) => `${field}: ${detail}`))]
  if (texts.length > 0)
    throw new PolicyError(texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`)
  if (written.length === 0) throw new PolicyError('loaded illegal policy with 0 rules')
  return {
    rules: written.map((rule) => ({
      level: rule.level as Level,
      users: rule.users ?? [],
      userGroups: rule.userGroups ?? [],
      verbs: rule.verbs ?? [],
      resources: (rule.resources ?? []).map(({ group, resources, resourceNames }) => ({
        group: group ?? '',
        resources: resources ?? [],
        resourceNames: resourceNames ?? [],
      })),
      namespaces: rule.namespaces ?? [],
      nonResourceURLs: rule.nonResourceURLs ?? [],
      omitStages: [...omitted, ...(rule.omitStages ?? [])],
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
    })),
  }
}

function read(text: string, tolerate: (problems: readonly string[]) => void): JsonObject {
  try {
    return readConfiguration(text, KIND, tolerate)
  } catch (error) {
    if (error instanceof UnversionedConfiguration)
      throw new PolicyError(`unknown group version field ${error.message} in policy`)
    throw error instanceof ConfigurationError
      ? new PolicyError(`failed decoding: ${error.message}`)
      : error
  }
}

function ruleErrors(
  { level, nonResourceURLs, resources, namespaces, omitStages }: Written,
  path: string,
): FieldError[] {
  const isLevel = LEVELS.some((one) => one === level)
  const paths = nonResourceURLs ?? []
  const isAboutBoth =
    paths.length > 0 && ((resources ?? []).length > 0 || (namespaces ?? []).length > 0)
  const field = `${path}.nonResourceURLs`
  return [
    ...(isLevel
      ? []
      : [level ? notSupported(`${path}.level`, level, LEVELS) : required(`${path}.level`)]),
    ...paths.flatMap((url, i) => pathErrors(url, `${field}[${i}]`)),
    ...(resources ?? []).flatMap((resource) => resourceErrors(resource, `${path}.resources`)),
    ...stageErrors(omitStages ?? [], `${path}.omitStages`),
    ...(isAboutBoth
      ? [
          invalidList(
            field,
            paths,
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        ]
      : []),
  ]
}

function pathErrors(url: string, field: string): FieldError[] {
  if (url === '*') return []
  return [
    ...(url.startsWith('/')
      ? []
      : [invalidValue(field, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes('*')
      ? [
          invalidValue(
            field,
            url,
            "non-resource URL wildcards '*' must be the final character of the rule",
          ),
        ]
      : []),
  ]
}

/** Paths omit the index. */
function resourceErrors(
  { group, resources, resourceNames }: Partial<ResourceRule>,
  path: string,
): FieldError[] {
  const problems = group ? dnsSubdomainProblems(group) : []
  const names = resourceNames ?? []
  return [
    ...(problems.length > 0 ? [invalidValue(`${path}.group`, group, problems.join(','))] : []),
    ...(names.length > 0 && (resources ?? []).length === 0
      ? [
          invalidList(
            `${path}.resourceNames`,
            names,
            'using resourceNames requires at least one resource',
          ),
        ]
      : []),
  ]
}

function stageErrors(stages: readonly AuditStage[], field: string): FieldError[] {
  return stages.flatMap((stage, i) =>
    STAGES.includes(stage)
      ? []
      : [invalidValue(`${field}[${i}]`, stage, `allowed stages are ${STAGES.join(',')}`)],
  )
}
