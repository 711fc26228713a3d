/** The least roles as manifests, and what a person made of them read again. */
import { describe, expect, it } from 'vitest'
import { manifestOf, roleNameOf, rolesIn } from '../../../src/app/features/access/role-manifest'

const read = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const wide = { verbs: ['list'], apiGroups: [''], resources: ['nodes'] }
const ROLES = [
  { namespace: '', rules: [wide] },
  { namespace: 'shop', rules: [read] },
]

describe('manifests', () => {
  it('are read as they were written: a Role for a namespace, a ClusterRole for the cluster', () => {
    expect(rolesIn(manifestOf(ROLES, 'reader', 'alice'))).toEqual([
      { title: 'ClusterRole reader', namespace: '', rules: [wide] },
      { title: 'Role shop/reader', namespace: 'shop', rules: [read] },
    ])
  })

  it('bind to a user, or to the service account of a user name', () => {
    expect(manifestOf(ROLES, 'reader', 'alice')).toMatch(
      /kind: RoleBinding[\s\S]*kind: User\n\s+name: alice/,
    )
    expect(manifestOf(ROLES, 'reader', 'system:serviceaccount:shop:builder')).toMatch(
      /kind: ServiceAccount\n\s+namespace: shop\n\s+name: builder/,
    )
    expect(manifestOf(ROLES, 'reader', undefined)).not.toContain('Binding')
  })

  it.each([
    ['kind: Role\nmetadata: {name: a}\nrules: []\n', /metadata.namespace/],
    ['kind: ClusterRole\nmetadata: {name: a}\nrules: 3\n', /not a list of rules/],
    ['kind: ClusterRole\nmetadata: {name: a}\nrules: [{verbs: get}]\n', /not a list of rules/],
    ['kind: [', /./],
  ])('with errors are reported: %j', (text, message) => {
    expect(() => rolesIn(text)).toThrow(message)
  })
})

it('names a role after its user', () => {
  expect(roleNameOf('alice')).toBe('alice-least')
  expect(roleNameOf('system:serviceaccount:shop:builder')).toBe('builder-least')
  expect(roleNameOf('Jane Doe@example.org')).toBe('jane-doe-example-org-least')
})
