/** The first matching rule of an audit policy, and errors for invalid policies. */
import { describe, expect, it } from 'vitest'
import { evaluatePolicyRule, parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'

const requested = (given: object) => ({
  verb: 'get',
  isResource: true,
  path: '/x',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: 'web',
  ...given,
})
const alice = { name: 'alice', groups: ['developers', 'system:authenticated'] }
const policy = (rules: string) =>
  parseAuditPolicy(`{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [${rules}]}`)
const levelOf = (rules: string, given: object = {}) =>
  evaluatePolicyRule(policy(rules), requested(given), alice).level

describe('an audit policy rule', () => {
  it.each([
    ['everything, if it names nothing', '{level: Metadata}', {}, true],
    ['its users', '{level: Metadata, users: [alice]}', {}, true],
    ['no other users', '{level: Metadata, users: [bob]}', {}, false],
    [
      'who is in one of its groups',
      '{level: Metadata, userGroups: [strangers, developers]}',
      {},
      true,
    ],
    ['its verbs', '{level: Metadata, verbs: [list]}', {}, false],
    ['its namespaces', '{level: Metadata, namespaces: [kube-system]}', {}, false],
    [
      'the cluster scope, as the empty namespace',
      '{level: Metadata, namespaces: [""]}',
      { namespace: '' },
      true,
    ],
    [
      'every resource of a group',
      '{level: Metadata, resources: [{group: apps}]}',
      { group: 'apps', resource: 'deployments' },
      true,
    ],
    [
      'a resource, not its subresources',
      '{level: Metadata, resources: [{resources: [pods]}]}',
      { subresource: 'log' },
      false,
    ],
    [
      'a subresource',
      '{level: Metadata, resources: [{resources: [pods/log]}]}',
      { subresource: 'log' },
      true,
    ],
    [
      'all subresources',
      '{level: Metadata, resources: [{resources: ["pods/*"]}]}',
      { subresource: 'log' },
      true,
    ],
    [
      'a subresource of everything',
      '{level: Metadata, resources: [{resources: ["*/status"]}]}',
      { subresource: 'status' },
      true,
    ],
    [
      'an object by its name',
      '{level: Metadata, resources: [{resources: [pods], resourceNames: [db]}]}',
      {},
      false,
    ],
    [
      'paths by their beginning',
      '{level: Metadata, nonResourceURLs: ["/healthz*"]}',
      { isResource: false, path: '/healthz/ping' },
      true,
    ],
    ['no resource, if it names paths', '{level: Metadata, nonResourceURLs: ["*"]}', {}, false],
    [
      'no path, if it names resources',
      '{level: Metadata, resources: [{group: ""}]}',
      { isResource: false },
      false,
    ],
  ])('%s', (_what, rule, given, fits) => {
    expect(levelOf(rule, given)).toBe(fits ? 'Metadata' : 'None')
  })
})

it('takes precedence over later rules', () => {
  expect(levelOf('{level: None, users: [alice]}, {level: RequestResponse}')).toBe('None')
  expect(levelOf('{level: None, users: [bob]}, {level: RequestResponse}')).toBe('RequestResponse')
})

it('omits its own stages and those of the policy', () => {
  const text = `{kind: Policy, apiVersion: audit.k8s.io/v1, omitStages: [RequestReceived], rules: [{level: Metadata, omitStages: [Panic]}]}`
  const { omitStages } = evaluatePolicyRule(parseAuditPolicy(text), requested({}), alice)
  expect([...omitStages]).toEqual(['RequestReceived', 'Panic'])
})

const V1 = 'kind: Policy, apiVersion: audit.k8s.io/v1'
it.each([
  ['', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  [
    'rules: [{level: Metadata}]',
    'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy',
  ],
  ['apiVersion: audit.k8s.io/v1', 'loaded illegal policy with 0 rules'],
  [
    '{kind: Policy, apiVersion: v1}',
    'failed decoding: no kind "Policy" is registered for version "v1"',
  ],
  [`{${V1}}`, 'loaded illegal policy with 0 rules'],
  [`{${V1}, rules: [{}]}`, 'rules[0].level: Required value'],
  [
    `{${V1}, rules: [{level: Loud}]}`,
    'rules[0].level: Unsupported value: "Loud": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  [
    `{${V1}, rules: [{level: None, omitStages: [Never]}]}`,
    'rules[0].omitStages[0]: Invalid value: "Never": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
  [
    `{${V1}, rules: [{level: None, verbs: get}]}`,
    'failed decoding: json: cannot unmarshal string into Go struct field',
  ],
  [
    `{${V1}, rules: [{level: None, nonResourceURLs: ["/a"], namespaces: [b]}]}`,
    'rules[0].nonResourceURLs: Invalid value: []string{"/a"}: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    `{${V1}, rules: [{level: None, nonResourceURLs: ["*", "a", "/b*c", "/d*"]}]}`,
    `[rules[0].nonResourceURLs[1]: Invalid value: "a": non-resource URL rules must begin with a '/' character, ` +
      `rules[0].nonResourceURLs[2]: Invalid value: "/b*c": non-resource URL wildcards '*' must be the final character of the rule]`,
  ],
  [
    `{${V1}, rules: [{level: None, resources: [{group: apps/v1}]}]}`,
    'rules[0].resources.group: Invalid value: "apps/v1": a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    `{${V1}, rules: [{level: None, resources: [{resourceNames: [a]}]}]}`,
    'rules[0].resources.resourceNames: Invalid value: []string{"a"}: using resourceNames requires at least one resource',
  ],
  ['{kind: Policy', 'failed decoding: '],
])('%s is rejected: %s', (text, message) => {
  expect(() => parseAuditPolicy(text)).toThrow(message)
})

it('may contain unknown fields, which are reported', () => {
  const reported: string[] = []
  const { rules } = parseAuditPolicy(
    `{${V1}, color: red, rules: [{level: Metadata}]}`,
    (problems) => reported.push(...problems),
  )
  expect([rules.length, reported]).toEqual([1, ['unknown field "color"']])
})
