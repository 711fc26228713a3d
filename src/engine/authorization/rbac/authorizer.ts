/** Role-based access: bindings indexed by subject, so that a decision looks at the user's own bindings only (document 2, "RBAC"). */
import type { UserInfo } from '../../authentication/authenticator'
import type { KubeObject } from '../../object'
import type { Storage, StorageEvent } from '../../storage/storage'
import type { Attributes, Authorizer, RuleList, Verdict } from '../authorizer'
import { type PolicyRule, ruleAllows } from './rules'

interface RoleRef {
  apiGroup: string
  kind: string
  name: string
}

export interface Subject {
  kind: string
  name: string
  namespace?: string
}

interface Binding {
  name: string
  /** `''` for a ClusterRoleBinding. */
  namespace: string
  roleRef: RoleRef
  subjects: Subject[]
}

const SUPERUSERS = 'system:masters'
const SERVICE_ACCOUNT = 'system:serviceaccount:'
const PREFIX = {
  roles: '/registry/roles/',
  bindings: '/registry/rolebindings/',
  clusterRoles: '/registry/clusterroles/',
  clusterBindings: '/registry/clusterrolebindings/',
}

export function rbacAuthorizer(storage: Storage): Authorizer {
  return new RbacIndex(storage)
}

class RbacIndex implements Authorizer {
  private readonly roles = new Map<string, PolicyRule[]>()
  private readonly bindings = new Map<string, Binding>()
  /** `scope\0kind\0name` of a subject -> the keys of its bindings; scope is a namespace, or empty for cluster bindings. */
  private readonly bySubject = new Map<string, Set<string>>()
  private ready: Promise<void> | undefined

  constructor(private readonly storage: Storage) {}

  authorize(attributes: Attributes): Verdict | Promise<Verdict> {
    if (attributes.user.groups.includes(SUPERUSERS)) return { decision: 'allow', reason: '' }
    if (this.ready === undefined) this.ready = this.load()
    return this.ready.then(() => this.decide(attributes))
  }

  private decide(attributes: Attributes): Verdict {
    const missing: string[] = []
    const scopes = attributes.namespace === '' ? [''] : ['', attributes.namespace]
    for (const scope of scopes) {
      for (const [binding, subject] of this.bindingsOf(attributes.user, scope)) {
        const rules = this.roles.get(roleKey(binding))
        if (rules === undefined)
          missing.push(`${binding.roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(binding.roleRef.name)} not found`)
        else if (rules.some((rule) => ruleAllows(rule, attributes))) return { decision: 'allow', reason: allowedBy(binding, subject) }
      }
    }
    if (missing.length === 0) return { decision: 'noOpinion', reason: '' }
    return { decision: 'noOpinion', reason: `RBAC: ${missing.length === 1 ? missing[0] : `[${missing.join(', ')}]`}` }
  }

  private *bindingsOf(user: UserInfo, scope: string): Iterable<[Binding, Subject]> {
    const keys = new Set<string>()
    const collect = (kind: string, name: string) => {
      for (const key of this.bySubject.get(`${scope}\0${kind}\0${name}`) ?? []) keys.add(key)
    }
    collect('User', user.name)
    for (const group of user.groups) collect('Group', group)
    if (user.name.startsWith(SERVICE_ACCOUNT)) collect('ServiceAccount', user.name.slice(SERVICE_ACCOUNT.length))
    for (const key of [...keys].sort()) {
      const binding = this.bindings.get(key)
      const subject = binding?.subjects.find((candidate) => isSubject(candidate, user, scope))
      if (binding && subject) yield [binding, subject]
    }
  }

  async rules(user: UserInfo, namespace: string): Promise<RuleList> {
    if (this.ready === undefined) this.ready = this.load()
    await this.ready
    const list: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false }
    for (const scope of ['', namespace]) {
      for (const [binding] of this.bindingsOf(user, scope)) {
        for (const { nonResourceURLs, verbs, ...about } of this.roles.get(roleKey(binding)) ?? []) {
          const rule = { verbs: verbs ?? [], ...about }
          if (nonResourceURLs?.length) list.nonResourceRules.push({ verbs: rule.verbs, nonResourceURLs })
          if (rule.resources?.length) list.resourceRules.push(rule)
        }
      }
    }
    return list
  }

  private async load(): Promise<void> {
    for (const prefix of Object.values(PREFIX)) {
      const { items, revision } = await this.storage.range(prefix)
      for (const { key, object } of items) this.put(key, object)
      this.storage.watch(prefix, revision, { event: (event) => this.follow(event), end: () => this.restart() })
    }
  }

  /** The store was reloaded: what is indexed may be stale, so it is read again at the next question. */
  private restart(): void {
    this.roles.clear()
    this.bindings.clear()
    this.bySubject.clear()
    this.ready = undefined
  }

  private follow({ type, key, current }: StorageEvent): void {
    if (type === 'DELETED') this.remove(key)
    else this.put(key, current.object)
  }

  private put(key: string, object: KubeObject): void {
    this.remove(key)
    if (key.startsWith(PREFIX.roles) || key.startsWith(PREFIX.clusterRoles)) {
      this.roles.set(key, (object.rules as PolicyRule[] | undefined) ?? [])
      return
    }
    const { name = '', namespace = '' } = object.metadata
    const binding: Binding = {
      name,
      namespace,
      roleRef: object.roleRef as RoleRef,
      subjects: (object.subjects as Subject[] | undefined) ?? [],
    }
    this.bindings.set(key, binding)
    for (const subject of binding.subjects) {
      const index = subjectKey(subject, namespace)
      const keys = this.bySubject.get(index) ?? new Set()
      keys.add(key)
      this.bySubject.set(index, keys)
    }
  }

  private remove(key: string): void {
    this.roles.delete(key)
    const binding = this.bindings.get(key)
    if (binding === undefined) return
    this.bindings.delete(key)
    for (const subject of binding.subjects) this.bySubject.get(subjectKey(subject, binding.namespace))?.delete(key)
  }
}

function roleKey({ roleRef, namespace }: Binding): string {
  return roleRef.kind === 'ClusterRole' ? PREFIX.clusterRoles + roleRef.name : `${PREFIX.roles}${namespace}/${roleRef.name}`
}

function subjectKey(subject: Subject, scope: string): string {
  const name = subject.kind === 'ServiceAccount' ? `${subject.namespace || scope}:${subject.name}` : subject.name
  return `${scope}\0${subject.kind}\0${name}`
}

function isSubject(subject: Subject, user: UserInfo, scope: string): boolean {
  if (subject.kind === 'User') return subject.name === user.name
  if (subject.kind === 'Group') return user.groups.includes(subject.name)
  return user.name === `${SERVICE_ACCOUNT}${subject.namespace || scope}:${subject.name}`
}

/** `RBAC: allowed by RoleBinding "name/ns" of ClusterRole "view" to User "jane"` (recorded). */
function allowedBy(binding: Binding, subject: Subject): string {
  const from =
    binding.namespace === ''
      ? `ClusterRoleBinding ${JSON.stringify(binding.name)}`
      : `RoleBinding ${JSON.stringify(`${binding.name}/${binding.namespace}`)}`
  const who =
    subject.kind === 'ServiceAccount'
      ? `ServiceAccount ${JSON.stringify(`${subject.name}/${subject.namespace ?? ''}`)}`
      : `${subject.kind} ${JSON.stringify(subject.name)}`
  return `RBAC: allowed by ${from} of ${binding.roleRef.kind} ${JSON.stringify(binding.roleRef.name)} to ${who}`
}
