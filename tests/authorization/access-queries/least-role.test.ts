import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  leastRoles,
  stillDenied,
} from '../../../src/engine/authorization/access-queries/least-role'
import type { QueryAttributes } from '../../../src/engine/authorization/access-queries/types'
import { missingPermissions } from '../../../src/engine/authorization/rbac/missing-permissions'
import { type PolicyRule, ruleAllows } from '../../../src/engine/authorization/rbac/rules'
import { may, pathAttributes } from '../roles'
import { wants } from './access-fixture'

const pathRequest = (verb: string, path: string): QueryAttributes => {
  const { user: _, ...requested } = pathAttributes('nobody', verb, path)
  return requested
}

describe('the least-privilege role for a list of requests', () => {
  it('merges permissions that fit in one rule', () => {
    const requests = [
      wants('list', 'pods', 'a'),
      wants('get', 'pods', 'a', { name: 'one' }),
      wants('get', 'configmaps', 'a', { name: 'c' }),
      wants('list', 'configmaps', 'a'),
      wants('patch', 'deployments', 'a', { group: 'apps', name: 'web' }),
      pathRequest('get', '/healthz'),
    ]
    expect(leastRoles({ requests, names: false })).toEqual([
      { namespace: '', rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }] },
      {
        namespace: 'a',
        rules: [
          { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', 'pods'] },
          { verbs: ['patch'], apiGroups: ['apps'], resources: ['deployments'] },
        ],
      },
    ])
  })

  it('can be limited to the requested resource names', () => {
    const requests = ['one', 'two'].map((name) => wants('get', 'secrets', 'a', { name }))
    const [role] = leastRoles({
      requests: [...requests, wants('list', 'secrets', 'a')],
      names: true,
    })
    expect(role?.rules).toEqual([may('list', 'secrets'), may('get', 'secrets', ['one', 'two'])])
  })

  it('does not repeat in a namespace what a cluster-wide rule grants', () => {
    const requests = [wants('list', 'pods'), wants('list', 'pods', 'a')]
    expect(leastRoles({ requests, names: true })).toEqual([
      { namespace: '', rules: [may('list', 'pods')] },
    ])
  })

  const request: fc.Arbitrary<QueryAttributes> = fc.oneof(
    fc
      .record({
        verb: fc.constantFrom('get', 'list', 'create'),
        resource: fc.constantFrom('pods', 'pods/log', 'nodes'),
        namespace: fc.constantFrom('', 'a', 'b'),
        group: fc.constantFrom('', 'apps'),
        name: fc.constantFrom('', 'one', 'two'),
      })
      .map(({ verb, resource, namespace, ...more }) => wants(verb, resource, namespace, more)),
    fc
      .record({ verb: fc.constantFrom('get', 'post'), path: fc.constantFrom('/x', '/y') })
      .map(({ verb, path }) => pathRequest(verb, path)),
  )
  const requests = fc.array(request, { maxLength: 12 })
  const scopeOf = (requested: QueryAttributes) => (requested.isResource ? requested.namespace : '')
  const user = { name: '', groups: [] }

  it('allows each request', () => {
    fc.assert(
      fc.property(requests, fc.boolean(), (requested, names) => {
        const roles = leastRoles({ requests: requested, names })
        for (const one of requested) {
          const rules = roles
            .filter(({ namespace }) => namespace === '' || namespace === scopeOf(one))
            .flatMap((role) => role.rules)
          expect(rules.some((rule) => ruleAllows(rule, { ...one, user }))).toBe(true)
        }
      }),
    )
  })

  it('grants no permission that no request needs', () => {
    const single = (one: QueryAttributes, names: boolean): PolicyRule =>
      one.isResource
        ? {
            verbs: [one.verb],
            apiGroups: [one.group],
            resources: [
              one.subresource === '' ? one.resource : `${one.resource}/${one.subresource}`,
            ],
            ...(names && one.name !== '' ? { resourceNames: [one.name] } : {}),
          }
        : { verbs: [one.verb], nonResourceURLs: [one.path] }
    fc.assert(
      fc.property(requests, fc.boolean(), (requested, names) => {
        for (const { namespace, rules } of leastRoles({ requests: requested, names })) {
          const needed = requested
            .filter((one) => scopeOf(one) === namespace)
            .map((one) => single(one, names))
          expect(missingPermissions(needed, rules).descriptions).toEqual([])
        }
      }),
    )
  })

  it('leaves no denied request within its scope', () => {
    fc.assert(
      fc.property(requests, (requested) => {
        for (const { namespace, rules } of leastRoles({ requests: requested, names: true }).filter(
          (role) => role.namespace === '',
        )) {
          expect(
            stillDenied({
              rules,
              namespace,
              requests: requested.filter((one) => scopeOf(one) === ''),
            }),
          ).toEqual([])
        }
      }),
    )
  })
})

describe('requests that rules do not cover', () => {
  it('are reported with the closest rule', () => {
    const rules = [may('get', 'pods')]
    const requests = [
      wants('get', 'pods', 'a'),
      wants('delete', 'pods', 'a'),
      wants('get', 'pods', 'b'),
      wants('get', 'secrets', 'a'),
    ]
    expect(stillDenied({ rules, namespace: 'a', requests })).toEqual([
      { index: 1, rule: rules[0], lacks: 'verb' },
      { index: 2, rule: rules[0], lacks: 'namespace' },
      { index: 3 },
    ])
    expect(stillDenied({ rules, namespace: '', requests }).map(({ index }) => index)).toEqual([
      1, 3,
    ])
  })
})
