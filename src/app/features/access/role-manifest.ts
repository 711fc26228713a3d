import { parseAllDocuments } from 'yaml'
import type { LeastRole, PolicyRule } from '../../../hosts/shared/access'
import { yamlText } from '../manifests/yaml'
import { checkNesting } from '../manifests/yaml-nesting'
import { CHECK, invalidRules } from './texts'

const API_VERSION = 'rbac.authorization.k8s.io/v1'
const RBAC_GROUP = 'rbac.authorization.k8s.io'

/** @param user subject of the bindings; undefined: no bindings */
export function manifestOf(
  roles: readonly LeastRole[],
  name: string,
  user: string | undefined,
): string {
  const documents = roles.flatMap(({ namespace, rules }) => {
    const scope = namespace === '' ? {} : { namespace }
    const kind = namespace === '' ? 'ClusterRole' : 'Role'
    const role = { apiVersion: API_VERSION, kind, metadata: { name, ...scope }, rules }
    if (user === undefined) return [role]
    const binding = {
      apiVersion: API_VERSION,
      kind: `${kind}Binding`,
      metadata: { name, ...scope },
      subjects: [subjectNamed(user)],
      roleRef: { apiGroup: RBAC_GROUP, kind, name },
    }
    return [role, binding]
  })
  return documents.map(yamlText).join('---\n')
}

function subjectNamed(user: string): object {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? []
  if (namespace !== undefined && name !== undefined)
    return { kind: 'ServiceAccount', namespace, name }
  return { apiGroup: RBAC_GROUP, kind: 'User', name: user }
}

export interface WrittenRole {
  /** `Role default/reader` */
  title: string
  namespace: string
  rules: PolicyRule[]
}

/** @throws Error for invalid YAML */
export function rolesIn(text: string): WrittenRole[] {
  checkNesting(text)
  const roles: WrittenRole[] = []
  for (const document of parseAllDocuments(text)) {
    if (!('errors' in document)) continue
    const [error] = document.errors
    if (error) throw new Error(error.message)
    const value = document.toJSON() as {
      kind?: unknown
      metadata?: { name?: unknown; namespace?: unknown }
      rules?: unknown
    } | null
    if (value === null || (value.kind !== 'Role' && value.kind !== 'ClusterRole')) continue
    const namespace =
      value.kind === 'Role' && typeof value.metadata?.namespace === 'string'
        ? value.metadata.namespace
        : ''
    if (value.kind === 'Role' && namespace === '') throw new Error(CHECK.noNamespace)
    const rules = value.rules ?? []
    if (!Array.isArray(rules) || !rules.every(isRule))
      throw new Error(invalidRules(value.kind, String(value.metadata?.name)))
    roles.push({
      title: `${value.kind} ${namespace === '' ? '' : `${namespace}/`}${String(value.metadata?.name ?? '')}`,
      namespace,
      rules,
    })
  }
  return roles
}

const MEMBERS = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs']

function isRule(value: unknown): value is PolicyRule {
  if (typeof value !== 'object' || value === null) return false
  const isList = (member: unknown) =>
    member === undefined ||
    member === null ||
    (Array.isArray(member) && member.every((one) => typeof one === 'string'))
  return MEMBERS.every((member) => isList((value as Record<string, unknown>)[member]))
}

export function roleNameOf(user: string): string {
  const plain = user
    .toLowerCase()
    .split(':')
    .at(-1)
    ?.replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return `${plain || 'user'}-least`
}
