/** Questions about rights as review objects and as commands. */
import { describe, expect, it } from 'vitest'
import { asCanI, reviewOf } from '../../../src/app/features/access/review'

const attributes = {
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
  it('of another user name the user and the groups', () => {
    expect(reviewOf('SubjectAccessReview', alice, attributes)).toEqual({
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

  it('of the current user name no user, and local ones have a namespace', () => {
    expect(reviewOf('SelfSubjectAccessReview', alice, attributes).body).not.toHaveProperty(
      'spec.user',
    )
    expect(reviewOf('LocalSubjectAccessReview', alice, attributes)).toMatchObject({
      path: '/apis/authorization.k8s.io/v1/namespaces/shop/localsubjectaccessreviews',
      body: { metadata: { namespace: 'shop' } },
    })
  })

  it('know a service account as a user in its groups, and a path by its own attributes', () => {
    expect(
      reviewOf('SubjectAccessReview', builder, {
        ...attributes,
        isResource: false,
        path: '/healthz',
      }).body,
    ).toMatchObject({
      spec: {
        nonResourceAttributes: { path: '/healthz', verb: 'get' },
        user: 'system:serviceaccount:shop:builder',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    })
  })
})

it('is equivalent to kubectl auth can-i', () => {
  expect(asCanI('SelfSubjectAccessReview', alice, attributes)).toBe(
    'kubectl auth can-i get deployments.apps/web --subresource=scale -n shop',
  )
  expect(
    asCanI('SubjectAccessReview', alice, {
      ...attributes,
      subresource: '',
      name: '',
      namespace: '',
    }),
  ).toBe('kubectl auth can-i get deployments.apps -A --as=alice --as-group=developers')
  expect(
    asCanI('SubjectAccessReview', builder, { ...attributes, isResource: false, path: '/healthz' }),
  ).toBe('kubectl auth can-i get /healthz --as=system:serviceaccount:shop:builder')
})
