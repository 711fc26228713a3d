import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AdmissionAttributes } from '../../src/engine/admission/admission'
import {
  criteriaOf,
  type MatchEnvironment,
  matches,
  matchRules,
  type ServedAs,
} from '../../src/engine/policy/match'
import type { MatchResources, Rule } from '../../src/engine/policy/objects'

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const
const GROUPS = ['', 'apps', 'autoscaling']
const VERSIONS = ['v1', 'v2']
const RESOURCES = ['pods', 'deployments', 'namespaces']
const SUBRESOURCES = ['', 'status', 'scale']

interface Request {
  operation: (typeof OPERATIONS)[number]
  subresource: string
  name: string
  namespace: string
}

const served = (group: string, version: string, resource: string): ServedAs => ({
  group,
  version,
  resource,
  kind: { group, version, kind: resource },
})

const someOf = (list: readonly string[]) =>
  fc.oneof(fc.constant<string[]>(['*']), fc.subarray([...list], { minLength: 1 }))
const pattern = fc.oneof(
  fc.constantFrom('*', '*/*', ...RESOURCES),
  fc
    .tuple(fc.constantFrom('*', ...RESOURCES), fc.constantFrom('*', 'status', 'scale'))
    .map((parts) => parts.join('/')),
)
const rule: fc.Arbitrary<Rule> = fc.record({
  operations: someOf(OPERATIONS),
  apiGroups: someOf(GROUPS),
  apiVersions: someOf(VERSIONS),
  resources: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  scope: fc.constantFrom('*', 'Namespaced', 'Cluster'),
  resourceNames: fc.subarray(['a', 'b']),
})
const resource = fc
  .tuple(fc.constantFrom(...GROUPS), fc.constantFrom(...VERSIONS), fc.constantFrom(...RESOURCES))
  .map((parts) => served(...parts))
const request: fc.Arbitrary<Request> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  subresource: fc.constantFrom(...SUBRESOURCES),
  name: fc.constantFrom('', 'a', 'b', 'c'),
  namespace: fc.constantFrom('', 'default'),
})

/** Lists every single request that a rule covers, with wildcards expanded. */
function covered({
  operations,
  apiGroups,
  apiVersions,
  resources,
  scope,
  resourceNames,
}: Rule): Set<string> {
  const all = (list: readonly string[] | null | undefined, every: readonly string[]) =>
    list?.includes('*') ? every : (list ?? [])
  const whole = new Set<string>()
  for (const operation of all(operations, OPERATIONS))
    for (const group of all(apiGroups, GROUPS))
      for (const version of all(apiVersions, VERSIONS))
        for (const text of resources ?? []) {
          const [left = '', right = ''] = text.split('/')
          for (const name of left === '*' ? RESOURCES : [left])
            for (const subresource of right === '*' ? SUBRESOURCES : [right])
              for (const called of resourceNames?.length ? resourceNames : ['', 'a', 'b', 'c'])
                for (const namespace of ['', 'default']) {
                  const inNamespace = namespace !== '' && !(group === '' && name === 'namespaces')
                  if (scope === 'Namespaced' && !inNamespace) continue
                  if (scope === 'Cluster' && inNamespace) continue
                  whole.add(
                    [operation, group, version, name, subresource, called, namespace].join(' '),
                  )
                }
        }
  return whole
}

const key = ({ operation, subresource, name, namespace }: Request, as: ServedAs) =>
  [operation, as.group, as.version, as.resource, subresource, name, namespace].join(' ')

describe('admission rules', () => {
  it('match exactly the requests they list, with wildcards expanded', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 3 }),
        request,
        resource,
        fc.array(resource, { maxLength: 2 }),
        (rules, requested, own, others) => {
          const listed = (as: ServedAs) =>
            rules.some((each) => covered(each).has(key(requested, as)))
          const found = matchRules(rules, requested, own, () => [own, ...others])
          if (listed(own)) expect(found).toBe(own)
          else if (others.some(listed)) expect(others.filter(listed)).toContain(found)
          else expect(found).toBeUndefined()
        },
      ),
    )
  })

  it('match the original request before converted versions', () => {
    const [v1, v2] = [served('autoscaling', 'v1', 'pods'), served('autoscaling', 'v2', 'pods')]
    const both: Rule[] = ['v2', 'v1'].map((version) => ({
      operations: ['*'],
      apiGroups: ['autoscaling'],
      apiVersions: [version],
      resources: ['pods'],
    }))
    const requested: Request = {
      operation: 'CREATE',
      subresource: '',
      name: 'a',
      namespace: 'default',
    }
    expect(matchRules(both, requested, v1, () => [v2, v1])).toBe(v1)
  })
})

describe('match criteria', () => {
  const pods = served('', 'v1', 'pods')
  const environment: MatchEnvironment<ServedAs> = {
    requested: () => pods,
    equivalents: () => [pods],
    namespaceLabels: async (name) => (name === 'gone' ? undefined : { name }),
  }
  const attributes = (given: Partial<AdmissionAttributes>) =>
    ({
      operation: 'CREATE',
      subresource: '',
      name: 'a',
      namespace: 'default',
      group: '',
      resource: 'pods',
      ...given,
    }) as AdmissionAttributes
  const object = (labels: Record<string, string>) => ({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { labels },
  })
  const match = async (given: MatchResources, about: Partial<AdmissionAttributes>) =>
    (await matches(criteriaOf(given), attributes(about), environment)) !== undefined

  it('match everything in bindings without rules, and nothing in webhooks', async () => {
    expect(await match({}, {})).toBe(true)
    expect(await matches(criteriaOf({ rules: [] }), attributes({}), environment)).toBeUndefined()
  })

  it('give precedence to exclusions', async () => {
    const all: Rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }
    expect(
      await match(
        { resourceRules: [all], excludeResourceRules: [{ ...all, resources: ['pods'] }] },
        {},
      ),
    ).toBe(false)
  })

  it('match the labels of either the old or the new object', async () => {
    const team = { objectSelector: { matchLabels: { team: 'a' } } }
    expect(
      await match(team, { object: object({ team: 'b' }), oldObject: object({ team: 'a' }) }),
    ).toBe(true)
    expect(await match(team, { object: object({ team: 'b' }) })).toBe(false)
    expect(await match(team, {})).toBe(false)
  })

  it('with a nonempty objectSelector never match connect requests', async () => {
    const options = { kind: 'PodExecOptions', apiVersion: 'v1', metadata: {} }
    const free = {
      objectSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['a'] }] },
    }
    expect(await match(free, { object: object({}) })).toBe(true)
    expect(await match(free, { operation: 'CONNECT', subresource: 'exec', object: options })).toBe(
      false,
    )
    expect(
      await match(
        { objectSelector: {} },
        { operation: 'CONNECT', subresource: 'exec', object: options },
      ),
    ).toBe(true)
  })

  it('match cluster-scoped objects, and a Namespace by its new labels', async () => {
    const selected = { namespaceSelector: { matchLabels: { name: 'default' } } }
    expect(await match(selected, { namespace: 'default' })).toBe(true)
    expect(await match(selected, { namespace: 'other' })).toBe(false)
    expect(await match(selected, { namespace: '', resource: 'nodes' })).toBe(true)
    expect(
      await match(selected, {
        namespace: 'x',
        resource: 'namespaces',
        object: object({ name: 'default' }),
      }),
    ).toBe(true)
    expect(
      await match(selected, { namespace: 'x', resource: 'namespaces', object: object({}) }),
    ).toBe(false)
  })

  it('do not match in a deleted namespace', async () => {
    const selected = { namespaceSelector: { matchLabels: { name: 'gone' } } }
    await expect(match(selected, { namespace: 'gone' })).rejects.toThrow(
      'namespaces "gone" not found',
    )
  })
})
