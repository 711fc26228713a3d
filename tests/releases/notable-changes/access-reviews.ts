import { describe, expect } from 'vitest'

import { change, moving } from './change'

describe('access reviews', () => {
  change(
    '1.22 LocalSubjectAccessReview, SelfSubjectAccessReview, SubjectAccessReview, SelfSubjectRulesReview',
    'groups',
    async () => {
      const { writeOld, writeNew } = moving('1.21', '1.22')
      const review = (apiVersion: string, member: string) => ({
        apiVersion,
        kind: 'SubjectAccessReview',
        spec: {
          [member]: ['system:masters'],
          resourceAttributes: { verb: 'get', resource: 'pods' },
        },
      })
      const old = await writeOld(
        '/apis/authorization.k8s.io/v1beta1/subjectaccessreviews',
        review('authorization.k8s.io/v1beta1', 'group'),
      )
      expect(old.json).toMatchObject({
        spec: { group: ['system:masters'] },
        status: { allowed: true },
      })
      const young = await writeNew(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        review('authorization.k8s.io/v1', 'groups'),
      )
      expect(young.json).toMatchObject({
        spec: { groups: ['system:masters'] },
        status: { allowed: true },
      })
    },
  )
})
