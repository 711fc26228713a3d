/** Questions about rights as review objects and as commands. */
import { describe, expect, it } from 'vitest'
import { asCanI, reviewOf } from '../../../src/app/panels/access/review'

const asked = {
  verb: 'get',
  isResource: true,
  path: '',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: 'scale',
  namespace: 'shop',
  name: 'web',
}
const alice = { kind: 'User' as const, name: 'alice', groups: ['developers'] }
const builder = { kind: 'ServiceAccount' as const, namespace: 'shop', name: 'builder' }

describe('reviews', () => {
  it('of somebody name the user and the groups', () => {
    expect(reviewOf('SubjectAccessReview', alice, asked)).toEqual({
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          resourceAttributes: {
            namespace: 'shop',
            verb: 'get',
            group: 'apps',
            version: 'v1',
            resource: 'deployments',
            subresource: 'scale',
            name: 'web',
          },
          user: 'alice',
          groups: ['developers'],
        },
      },
    })
  })

  it('of oneself name nobody, and local ones stand in their namespace', () => {
    expect(reviewOf('SelfSubjectAccessReview', alice, asked).body).not.toHaveProperty('spec.user')
    expect(reviewOf('LocalSubjectAccessReview', alice, asked)).toMatchObject({
      path: '/apis/authorization.k8s.io/v1/namespaces/shop/localsubjectaccessreviews',
      body: { metadata: { namespace: 'shop' } },
    })
  })

  it('know a service account as a user in its groups, and a path by its own attributes', () => {
    expect(
      reviewOf('SubjectAccessReview', builder, { ...asked, isResource: false, path: '/healthz' })
        .body,
    ).toMatchObject({
      spec: {
        nonResourceAttributes: { path: '/healthz', verb: 'get' },
        user: 'system:serviceaccount:shop:builder',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    })
  })
})

it('is asked by kubectl auth can-i', () => {
  expect(asCanI('SelfSubjectAccessReview', alice, asked)).toBe(
    'kubectl auth can-i get deployments.apps/web --subresource=scale -n shop',
  )
  expect(
    asCanI('SubjectAccessReview', alice, { ...asked, subresource: '', name: '', namespace: '' }),
  ).toBe('kubectl auth can-i get deployments.apps -A --as=alice --as-group=developers')
  expect(
    asCanI('SubjectAccessReview', builder, { ...asked, isResource: false, path: '/healthz' }),
  ).toBe('kubectl auth can-i get /healthz --as=system:serviceaccount:shop:builder')
})
