/** Which rule of an audit policy decides, and what is said of a policy that cannot be followed. */
import { describe, expect, it } from 'vitest'
import { parseAuditPolicy, rulingFor } from '../../src/engine/observation/audit/policy'

const asked = (given: object) => ({
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
const policy = (rules: string) => parseAuditPolicy(`{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [${rules}]}`)
const levelOf = (rules: string, given: object = {}) => rulingFor(policy(rules), asked(given), alice).level

describe('a rule fits', () => {
  it.each([
    ['everything, if it asks for nothing', '{level: Metadata}', {}, true],
    ['its users', '{level: Metadata, users: [alice]}', {}, true],
    ['no other users', '{level: Metadata, users: [bob]}', {}, false],
    ['who is in one of its groups', '{level: Metadata, userGroups: [nobody, developers]}', {}, true],
    ['its verbs', '{level: Metadata, verbs: [list]}', {}, false],
    ['its namespaces', '{level: Metadata, namespaces: [kube-system]}', {}, false],
    ['the cluster scope, as the empty namespace', '{level: Metadata, namespaces: [""]}', { namespace: '' }, true],
    ['every resource of a group', '{level: Metadata, resources: [{group: apps}]}', { group: 'apps', resource: 'deployments' }, true],
    ['a resource, not its subresources', '{level: Metadata, resources: [{resources: [pods]}]}', { subresource: 'log' }, false],
    ['a subresource', '{level: Metadata, resources: [{resources: [pods/log]}]}', { subresource: 'log' }, true],
    ['all subresources', '{level: Metadata, resources: [{resources: ["pods/*"]}]}', { subresource: 'log' }, true],
    ['a subresource of everything', '{level: Metadata, resources: [{resources: ["*/status"]}]}', { subresource: 'status' }, true],
    ['an object by its name', '{level: Metadata, resources: [{resources: [pods], resourceNames: [db]}]}', {}, false],
    ['paths by their beginning', '{level: Metadata, nonResourceURLs: ["/healthz*"]}', { isResource: false, path: '/healthz/ping' }, true],
    ['no resource, if it asks for paths', '{level: Metadata, nonResourceURLs: ["*"]}', {}, false],
    ['no path, if it asks for resources', '{level: Metadata, resources: [{group: ""}]}', { isResource: false }, false],
  ])('%s', (_what, rule, given, fits) => {
    expect(levelOf(rule, given)).toBe(fits ? 'Metadata' : 'None')
  })
})

it('decides before those behind it', () => {
  expect(levelOf('{level: None, users: [alice]}, {level: RequestResponse}')).toBe('None')
  expect(levelOf('{level: None, users: [bob]}, {level: RequestResponse}')).toBe('RequestResponse')
})

it('leaves out its stages and those of the policy', () => {
  const text = `{kind: Policy, apiVersion: audit.k8s.io/v1, omitStages: [RequestReceived], rules: [{level: Metadata, omitStages: [Panic]}]}`
  const { omitStages } = rulingFor(parseAuditPolicy(text), asked({}), alice)
  expect([...omitStages]).toEqual(['RequestReceived', 'Panic'])
})

it.each([
  ['', 'is empty'],
  ['{kind: Policy, apiVersion: v1}', 'must be kind Policy of audit.k8s.io/v1'],
  ['{kind: Policy, apiVersion: audit.k8s.io/v1}', 'has no rules'],
  ['{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: Loud}]}', 'rules[0].level: Unsupported value: "Loud"'],
  ['{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: None, omitStages: [Never]}]}', 'rules[0].omitStages[0]'],
  ['{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: None, verbs: get}]}', 'rules[0].verbs: must be a list'],
  [
    '{kind: Policy, apiVersion: audit.k8s.io/v1, rules: [{level: None, nonResourceURLs: ["/a"], namespaces: [b]}]}',
    'rules[0].nonResourceURLs: rules cannot apply to both',
  ],
  ['{kind: Policy', 'cannot be read'],
])('%s is refused: %s', (text, message) => {
  expect(() => parseAuditPolicy(text)).toThrow(message)
})
