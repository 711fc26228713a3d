/**
 * Indexes bindings by subject, so that a check reads only those of the user (kubernetes.io, "Using
 * RBAC Authorization").
 */

import type { UserInfo } from '../../authentication/authenticator'
import { append } from '../../core/lists'
import { API_DOMAIN } from '../../core/names'
import type { KubeObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import type { Storage, StorageEvent, Watcher } from '../../storage/storage'
import type { PolicyRule } from './rules'

export const RBAC_GROUP = `rbac.authorization.${API_DOMAIN}`

export interface RoleRef {
  apiGroup: string
  kind: string
  name: string
}

export interface Subject {
  kind: string
  name: string
  apiGroup?: string
  namespace?: string
}

export interface Binding {
  /** Bindings are evaluated in order of keys. */
  key: string
  name: string
  /** `''` for a ClusterRoleBinding. */
  namespace: string
  roleRef: RoleRef
  subjects: Subject[]
}

export interface Grant {
  binding: Binding
  subject: Subject
  /** Index in the binding: messages name the first of several subjects. */
  place: number
}

type Scope = Record<'User' | 'Group' | 'ServiceAccount', Map<string, Grant[]>>

const SERVICE_ACCOUNT = 'system:serviceaccount:'
export const CLUSTER_ROLES = '/registry/clusterroles/'

const PREFIX = {
  roles: '/registry/roles/',
  bindings: '/registry/rolebindings/',
  clusterRoles: CLUSTER_ROLES,
  clusterBindings: '/registry/clusterrolebindings/',
}

export class MissingRole {
  constructor(readonly roleRef: RoleRef) {}
  /** `role.rbac.authorization.k8s.io "x" not found` */
  singular(): string {
    return `${this.roleRef.kind.toLowerCase()}.${RBAC_GROUP} ${goQuote(this.roleRef.name)} not found`
  }
  /** For resource names. */
  plural(): string {
    return `${this.roleRef.kind.toLowerCase()}s.${RBAC_GROUP} ${goQuote(this.roleRef.name)} not found`
  }
}

export class RoleIndex {
  private readonly roles = new Map<string, PolicyRule[]>()
  private readonly bindings = new Map<string, Binding>()
  private readonly scopes = new Map<string, Scope>()
  private state: 'empty' | 'ready' | Promise<void> = 'empty'
  /** Replaced on relist. */
  private watchers: Watcher[] = []

  /** @param revision absent: the current state */
  constructor(
    private readonly storage: Storage,
    private readonly revision?: number,
  ) {}

  /** undefined if the index is loaded. */
  ready(): Promise<void> | undefined {
    if (this.state === 'ready') return undefined
    if (this.state === 'empty') this.state = this.load()
    return this.state
  }

  /** `''`: of the cluster. In order of keys, without duplicates. */
  grantsOf(user: UserInfo, namespace: string): readonly Grant[] {
    const scope = this.scopes.get(namespace)
    if (scope === undefined) return []
    let found: Grant[] | undefined
    let merged: Map<Binding, Grant> | undefined
    const collect = (grants: Grant[] | undefined): void => {
      if (grants === undefined || grants.length === 0 || grants === found) return
      if (found === undefined) {
        found = grants
        return
      }
      merged ??= new Map(found.map((grant) => [grant.binding, grant]))
      for (const grant of grants) {
        const other = merged.get(grant.binding)
        if (other === undefined || grant.place < other.place) merged.set(grant.binding, grant)
      }
    }
    collect(scope.User.get(user.name))
    for (const group of user.groups) collect(scope.Group.get(group))
    if (user.name.startsWith(SERVICE_ACCOUNT))
      collect(scope.ServiceAccount.get(user.name.slice(SERVICE_ACCOUNT.length)))
    return merged === undefined ? (found ?? []) : [...merged.values()].sort(byKey)
  }

  /** `""`: the cluster. */
  namespaces(): Iterable<string> {
    return this.scopes.keys()
  }

  /** `''`: of the cluster. */
  *bindingsOf(namespace: string): Iterable<Binding> {
    for (const binding of this.bindings.values()) if (binding.namespace === namespace) yield binding
  }

  /** undefined for a missing role. */
  rulesOf(roleRef: RoleRef, namespace: string): PolicyRule[] | undefined {
    return this.roles.get(
      roleRef.kind === 'ClusterRole'
        ? PREFIX.clusterRoles + roleRef.name
        : `${PREFIX.roles}${namespace}/${roleRef.name}`,
    )
  }

  /** `''`: of the cluster. */
  async rulesFor(
    user: UserInfo,
    namespace: string,
  ): Promise<{ rules: PolicyRule[]; missing: MissingRole[] }> {
    await this.ready()
    const rules: PolicyRule[] = []
    const missing: MissingRole[] = []
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      for (const { binding } of this.grantsOf(user, scope)) {
        const held = this.rulesOf(binding.roleRef, scope)
        if (held === undefined) missing.push(new MissingRole(binding.roleRef))
        else append(rules, held)
      }
    }
    return { rules, missing }
  }

  private async load(): Promise<void> {
    const watchers: Watcher[] = []
    this.watchers = watchers
    try {
      for (const prefix of Object.values(PREFIX)) {
        const { items, revision } = await this.storage.range(
          prefix,
          this.revision === undefined ? {} : { revision: this.revision },
        )
        if (this.watchers !== watchers) return this.ready()
        for (const { key, object } of items) this.put(key, object)
        if (this.revision !== undefined) continue
        watchers.push(
          this.storage.watch(prefix, revision, {
            event: (event) => this.follow(event),
            end: () => this.restart(watchers),
          }),
        )
      }
    } catch (error) {
      this.restart(watchers)
      throw error
    }
    if (this.watchers !== watchers) return this.ready()
    this.state = 'ready'
  }

  /** After a reload or failure of the store, the next query loads the index again. */
  private restart(watchers: Watcher[]): void {
    if (this.watchers !== watchers) return
    this.watchers = []
    for (const watcher of watchers) watcher.stop()
    this.roles.clear()
    this.bindings.clear()
    this.scopes.clear()
    this.state = 'empty'
  }

  private follow({ type, key, current }: StorageEvent): void {
    if (type === 'DELETED') this.remove(key)
    else this.put(key, current.object)
  }

  private put(key: string, object: KubeObject): void {
    this.remove(key)
    if (key.startsWith(PREFIX.roles) || key.startsWith(PREFIX.clusterRoles)) {
      this.roles.set(key, (object.rules as PolicyRule[] | null | undefined) ?? [])
      return
    }
    const { name = '', namespace = '' } = object.metadata
    const subjects = (object.subjects as Subject[] | undefined) ?? []
    const binding: Binding = { key, name, namespace, roleRef: object.roleRef as RoleRef, subjects }
    this.bindings.set(key, binding)
    const scope = this.scopes.get(namespace) ?? {
      User: new Map(),
      Group: new Map(),
      ServiceAccount: new Map(),
    }
    this.scopes.set(namespace, scope)
    subjects.forEach((subject, place) => {
      const named = listsOf(scope, subject)
      if (named === undefined) return
      const index = indexName(subject, namespace)
      const grants = named.get(index) ?? []
      if (grants.some((grant) => grant.binding === binding)) return
      // Replaced, never changed: a decision may be iterating over the list.
      named.set(index, inserted(grants, { binding, subject, place }))
    })
  }

  private remove(key: string): void {
    this.roles.delete(key)
    const binding = this.bindings.get(key)
    if (binding === undefined) return
    this.bindings.delete(key)
    const scope = this.scopes.get(binding.namespace)
    for (const subject of binding.subjects) {
      const named = scope && listsOf(scope, subject)
      const index = indexName(subject, binding.namespace)
      const left = named?.get(index)?.filter((grant) => grant.binding !== binding) ?? []
      if (left.length > 0) named?.set(index, left)
      else named?.delete(index)
    }
  }
}

function listsOf(scope: Scope, { kind }: Subject): Map<string, Grant[]> | undefined {
  return kind === 'User' || kind === 'Group' || kind === 'ServiceAccount' ? scope[kind] : undefined
}

/**
 * A service account without a namespace belongs to the binding's; in a cluster binding it matches
 * no one.
 */
function indexName(subject: Subject, namespace: string): string {
  return subject.kind === 'ServiceAccount'
    ? `${subject.namespace || namespace}:${subject.name}`
    : subject.name
}

const byKey = (a: Grant, b: Grant): number => (a.binding.key < b.binding.key ? -1 : 1)

function inserted(grants: readonly Grant[], grant: Grant): Grant[] {
  let low = 0
  let high = grants.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((grants[middle] as Grant).binding.key < grant.binding.key) low = middle + 1
    else high = middle
  }
  return [...grants.slice(0, low), grant, ...grants.slice(low)]
}
