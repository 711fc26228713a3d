import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UserInfo } from '../../src/engine/authentication/authenticator'
import type { Attributes } from '../../src/engine/authorization/authorizer'
import { rbacAuthorizer } from '../../src/engine/authorization/rbac/authorizer'
import { missingPermissions } from '../../src/engine/authorization/rbac/missing-permissions'
import { RoleIndex, type Subject } from '../../src/engine/authorization/rbac/role-index'
import { type PolicyRule, ruleAllows } from '../../src/engine/authorization/rbac/rules'
import { bindingKey, roleBook, roleKey } from './roles'

/** Small sets of names, so that roles and bindings collide often. */
const NAMESPACES = ['a', 'b']
const VERBS = ['get', 'list', '*']
const GROUPS = ['', 'apps', '*']
const RESOURCES = ['pods', 'pods/log', '*/log', '*', 'nodes']
const PATHS = ['/x', '/x/*', '*', '/xy']
const NAMES = ['one', 'two']

const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 })

const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({ verbs: some(VERBS), apiGroups: some(GROUPS), resources: some(RESOURCES) }),
  fc.record({
    verbs: some(VERBS),
    apiGroups: some(GROUPS),
    resources: some(RESOURCES),
    resourceNames: some(NAMES),
  }),
  fc.record({ verbs: some(VERBS), nonResourceURLs: some(PATHS) }),
)

const subject: fc.Arbitrary<Subject> = fc.oneof(
  fc.record({
    kind: fc.constant('User'),
    name: fc.constantFrom('jane', 'joe', 'system:serviceaccount:a:bot'),
  }),
  fc.record({ kind: fc.constant('Group'), name: fc.constantFrom('g', 'h') }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: fc.constantFrom('bot', 'cat') }),
  fc.record({
    kind: fc.constant('ServiceAccount'),
    name: fc.constantFrom('bot', 'cat'),
    namespace: fc.constantFrom('a', 'b'),
  }),
)

interface Role {
  rules: PolicyRule[]
}
interface Binding {
  namespace: string
  role: string
  subjects: Subject[]
}
type Step =
  | { put: 'role'; namespace: string; name: string; role: Role }
  | { put: 'binding'; name: string; binding: Binding }
  | { remove: 'role' | 'binding'; namespace: string; name: string }

const namespace = fc.constantFrom('', ...NAMESPACES)
const name = fc.constantFrom('p', 'q', 'r')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      put: fc.constant('role' as const),
      namespace,
      name,
      role: fc.record({ rules: fc.array(rule, { maxLength: 2 }) }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      put: fc.constant('binding' as const),
      name,
      binding: fc.record({
        namespace,
        role: fc.constantFrom('Role/p', 'Role/q', 'ClusterRole/p', 'ClusterRole/q'),
        subjects: fc.array(subject, { maxLength: 3 }),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      remove: fc.constantFrom('role' as const, 'binding' as const),
      namespace,
      name,
    }),
  },
)

const actor: fc.Arbitrary<UserInfo> = fc.record({
  name: fc.constantFrom(
    'jane',
    'joe',
    'system:serviceaccount:a:bot',
    'system:serviceaccount:b:cat',
  ),
  groups: fc.subarray(['g', 'h']),
})

const question: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({
    user: actor,
    verb: fc.constantFrom('get', 'list', 'watch'),
    isResource: fc.constant(true),
    path: fc.constant(''),
    group: fc.constantFrom('', 'apps'),
    version: fc.constant('v1'),
    resource: fc.constantFrom('pods', 'nodes'),
    subresource: fc.constantFrom('', 'log'),
    namespace,
    name: fc.constantFrom('', ...NAMES),
  }),
  fc.record({
    user: actor,
    verb: fc.constantFrom('get', 'post'),
    isResource: fc.constant(false),
    path: fc.constantFrom('/x', '/x/y', '/xy', '/'),
    ...Object.fromEntries(
      ['group', 'version', 'resource', 'subresource', 'namespace', 'name'].map((member) => [
        member,
        fc.constant(''),
      ]),
    ),
  }) as fc.Arbitrary<Attributes>,
)

/** Roles and bindings after a sequence of writes, without an index. */
class NaiveBook {
  readonly roles = new Map<string, Role>()
  readonly bindings = new Map<string, Binding>()

  take(taken: Step): void {
    if ('remove' in taken) {
      if (taken.remove === 'role') this.roles.delete(roleKey(taken.namespace, taken.name))
      else this.bindings.delete(bindingKey(taken.namespace, taken.name))
    } else if (taken.put === 'role')
      this.roles.set(roleKey(taken.namespace, taken.name), taken.role)
    else this.bindings.set(bindingKey(taken.binding.namespace, taken.name), taken.binding)
  }

  /** Checks every binding, every subject and every rule. */
  allows(attributes: Attributes): boolean {
    return [...this.bindings.values()].some((binding) => {
      if (binding.namespace !== '' && binding.namespace !== attributes.namespace) return false
      if (!binding.subjects.some((one) => isAbout(one, binding.namespace, attributes.user)))
        return false
      return this.rulesOf(binding).some((one) => naivelyAllows(one, attributes))
    })
  }

  private rulesOf({ role, namespace: of }: Binding): PolicyRule[] {
    const [kind, roleName = ''] = role.split('/')
    // The API rejects a ClusterRoleBinding to a Role. Here the reference resolves to nothing.
    if (kind === 'Role' && of === '') return []
    return this.roles.get(roleKey(kind === 'ClusterRole' ? '' : of, roleName))?.rules ?? []
  }
}

function isAbout(one: Subject, of: string, who: UserInfo): boolean {
  if (one.kind === 'User') return who.name === one.name
  if (one.kind === 'Group') return who.groups.includes(one.name)
  const home = one.namespace ?? of
  return home !== '' && who.name === `system:serviceaccount:${home}:${one.name}`
}

function naivelyAllows(one: PolicyRule, requested: Attributes): boolean {
  const fits = (list: string[] | null | undefined, value: string) =>
    (list ?? []).some((entry) => entry === '*' || entry === value)
  if (!fits(one.verbs, requested.verb)) return false
  if (!requested.isResource)
    return (one.nonResourceURLs ?? []).some(
      (url) =>
        url === requested.path ||
        (url.endsWith('*') && requested.path.startsWith(url.slice(0, -1))),
    )
  const full =
    requested.subresource === ''
      ? requested.resource
      : `${requested.resource}/${requested.subresource}`
  const any = requested.subresource === '' ? full : `*/${requested.subresource}`
  const named = one.resourceNames ?? []
  return (
    fits(one.apiGroups, requested.group) &&
    (one.resources ?? []).some((entry) => entry === '*' || entry === full || entry === any) &&
    (named.length === 0 || named.includes(requested.name))
  )
}

describe('the index of roles and bindings', () => {
  it('decides as a full scan would, after and during any writes', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(step, { maxLength: 6 }),
      fc.array(question, { minLength: 1, maxLength: 8 }),
      async (before, meanwhile, questions) => {
        const book = roleBook()
        const naive = new NaiveBook()
        const take = async (taken: Step) => {
          const isThere =
            'remove' in taken &&
            (taken.remove === 'role' ? naive.roles : naive.bindings).has(keyOf(taken))
          naive.take(taken)
          if ('remove' in taken) {
            if (isThere) await book.remove(keyOf(taken))
          } else if (taken.put === 'role')
            await book.role(taken.namespace, taken.name, taken.role.rules)
          else
            await book.binding(
              taken.binding.namespace,
              taken.name,
              taken.binding.role,
              taken.binding.subjects,
            )
        }
        const compare = async () => {
          for (const requested of questions) {
            const { decision } = await authorizer.authorize(requested)
            expect(decision === 'allow', JSON.stringify(requested)).toBe(naive.allows(requested))
          }
        }
        const authorizer = rbacAuthorizer(new RoleIndex(book.storage))
        for (const taken of before) await take(taken)
        await compare()
        for (const taken of meanwhile) await take(taken)
        await compare()
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })
})

const keyOf = (taken: Extract<Step, { remove: unknown }>): string =>
  (taken.remove === 'role' ? roleKey : bindingKey)(taken.namespace, taken.name)

describe('missing permissions', () => {
  it('are empty where the user holds the same rules', () => {
    fc.assert(
      fc.property(
        fc.array(rule),
        (rules) => missingPermissions(rules, rules).descriptions.length === 0,
      ),
    )
  })

  it('include every request that only the requested rules allow', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 3 }),
        fc.array(rule, { maxLength: 3 }),
        question,
        (held, wanted, requested) => {
          if (missingPermissions(held, wanted).descriptions.length > 0) return
          if (wanted.some((one) => ruleAllows(one, requested)))
            expect(held.some((one) => ruleAllows(one, requested))).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
