import { describe, expect, it } from 'vitest'
import type { WantedUser } from '../../src/engine/authentication/impersonation'
import { modesFor, wantedText } from '../../src/engine/authentication/impersonation-modes'

const wanted = (name: string, more: Partial<WantedUser> = {}): WantedUser => ({
  name,
  uid: '',
  groups: [],
  extra: new Map(),
  ...more,
})

const request = (user = { name: 'bob', groups: ['dev'] }) => ({
  user,
  verb: 'list',
  isResource: true,
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'shop',
  name: '',
})

/** The checks of a mode as `verb resource name`. */
const checksOf = (user: WantedUser, mode: string, by = request()) =>
  modesFor(user, by)
    .find(({ name }) => name === mode)
    ?.checks.map(({ attributes: { verb, resource, name }, because }) =>
      because === undefined ? `${verb} ${resource} ${name}`.trim() : because,
    )

const namesOf = (user: WantedUser, by = request()) => modesFor(user, by).map(({ name }) => name)

describe('modes of constrained impersonation', () => {
  it.each([
    ['jane', ['user-info', 'legacy']],
    ['system:serviceaccount:shop:builder', ['serviceaccount', 'legacy']],
    ['system:node:a', ['arbitrary-node', 'legacy']],
  ])('%s is impersonated by %j', (name, modes) => {
    expect(namesOf(wanted(name))).toEqual(modes)
  })

  it('nodes and service accounts with groups are only impersonated by the legacy mode', () => {
    const groups = { groups: ['dev'] }
    expect(namesOf(wanted('system:node:a', groups))).toEqual(['legacy'])
    expect(namesOf(wanted('system:serviceaccount:a:b', groups))).toEqual(['legacy'])
  })

  it('checks the action, then every part of the identity', () => {
    const user = wanted('jane', { uid: 'u', groups: ['g'] })
    expect(checksOf(user, 'user-info')).toEqual([
      'impersonate-on:user-info:list pods',
      'impersonate:user-info users jane',
      'impersonate:user-info uids u',
      'impersonate:user-info groups g',
    ])
    expect(checksOf(user, 'legacy')).toEqual([
      'impersonate users jane',
      'impersonate uids u',
      'impersonate groups g',
    ])
  })

  it('lets a service account impersonate the node of its pod', () => {
    const extra = { 'authentication.kubernetes.io/node-name': ['a'] }
    const agent = { name: 'system:serviceaccount:kube-system:agent', groups: [], extra }
    expect(namesOf(wanted('system:node:a'), request(agent))[0]).toBe('associated-node')
    expect(namesOf(wanted('system:node:b'), request(agent))[0]).toBe('arbitrary-node')
    expect(checksOf(wanted('system:node:a'), 'associated-node', request(agent))).toEqual([
      'impersonate-on:associated-node:list pods',
      'impersonate:associated-node nodes *',
    ])
  })

  it('never impersonates system:masters or an extra key without a domain', () => {
    expect(checksOf(wanted('jane', { groups: ['system:masters'] }), 'user-info')).toContain(
      'impersonating the system:masters group is not allowed',
    )
    const extra = new Map([['scopes', ['view']]])
    expect(checksOf(wanted('jane', { extra }), 'user-info')?.at(-2)).toContain(
      'must be a domain-prefixed path',
    )
  })

  it('checks many groups together first', () => {
    const groups = ['a', 'b', 'c', 'd']
    expect(checksOf(wanted('jane', { groups }), 'user-info')?.slice(2, 4)).toEqual([
      'impersonate:user-info groups *',
      'impersonate:user-info groups a',
    ])
    expect(checksOf(wanted('jane', { groups }), 'legacy')).not.toContain('impersonate groups *')
  })

  it('shows an identity as Go prints the structure', () => {
    expect(wantedText(wanted('', { groups: ['<b>'] }))).toBe(
      '&user.DefaultInfo{Name:"", UID:"", Groups:[]string{"<b>"}, Extra:map[string][]string(nil)}',
    )
  })
})
