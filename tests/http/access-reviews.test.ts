import { describe, expect, it } from 'vitest'
import { review } from '../authorization/building'
import { hooked } from './authorization-webhook'
import { testClient } from './test-client'

describe('access reviews', () => {
  const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
  const requesting = (resourceAttributes: Record<string, unknown>) => ({
    method: 'POST',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: 'zoe',
        resourceAttributes: { verb: 'list', resource: 'pods', ...resourceAttributes },
      },
    },
  })

  it('require either a resource or a path, and a user or group', async () => {
    const sendRequest = testClient()
    const send = async (spec: Record<string, unknown>) =>
      (
        await sendRequest(REVIEWS, {
          method: 'POST',
          body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
        })
      ).json.message
    const nonResourceAttributes = { path: '/', verb: 'get' }
    expect(await send({ user: 'zoe' })).toContain(
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    )
    expect(await send({ user: 'zoe', nonResourceAttributes, resourceAttributes: {} })).toContain(
      'Invalid value: authorization.NonResourceAttributes{Path:"/", Verb:"get"}: cannot be specified in combination with resourceAttributes',
    )
    expect(await send({ nonResourceAttributes })).toContain(
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    )
  })

  it('treat a user without groups as a member of none', async () => {
    const sendRequest = testClient()
    const spec = { user: 'zoe', nonResourceAttributes: { path: '/api', verb: 'get' } }
    const send = async (more: Record<string, unknown>) =>
      (
        await sendRequest(REVIEWS, {
          method: 'POST',
          body: {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SubjectAccessReview',
            spec: { ...spec, ...more },
          },
        })
      ).json.status
    expect(await send({})).toEqual({ allowed: false })
    expect(await send({ groups: ['system:authenticated'] })).toMatchObject({ allowed: true })
  })

  it('of a namespace check that namespace only', async () => {
    const { sendRequest, questions } = hooked(() => review({ allowed: true }))
    const local = (namespace: string) => ({
      ...requesting({ namespace }),
      body: { ...requesting({ namespace }).body, kind: 'LocalSubjectAccessReview' },
    })
    const target = '/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews'
    expect((await sendRequest(target, local('b'))).json.message).toContain(
      'spec.resourceAttributes.namespace: Invalid value: "b": must match metadata.namespace',
    )
    expect((await sendRequest(target, local('a'))).json.status).toEqual({ allowed: true })
    expect(questions).toEqual([{ namespace: 'a', verb: 'list', version: '*', resource: 'pods' }])
  })

  it('default to all versions', async () => {
    const { sendRequest, questions } = hooked(() => review({}))
    await sendRequest(REVIEWS, requesting({}))
    await sendRequest(REVIEWS, requesting({ version: 'v2' }))
    expect(questions.map(({ version }) => version)).toEqual(['*', 'v2'])
  })

  it('distinguish denials from no opinion, and report evaluation errors', async () => {
    const { sendRequest } = hooked(({ namespace }) =>
      namespace === 'a' ? review({ allowed: true, denied: true, reason: 'r' }) : review({}),
    )
    expect((await sendRequest(REVIEWS, requesting({ namespace: 'a' }))).json.status).toEqual({
      allowed: false,
      denied: true,
      reason: 'r',
      evaluationError: 'webhook subject access review returned both allow and deny response',
    })
    expect((await sendRequest(REVIEWS, requesting({}))).json.status).toEqual({ allowed: false })
  })

  it.each([
    [
      'a selector without content',
      { fieldSelector: {} },
      'fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
    ],
    [
      'both forms of a selector',
      { fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] } },
      'fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements',
    ],
    [
      'a requirement without key',
      { fieldSelector: { requirements: [{ key: '', operator: 'Exists' }] } },
      'fieldSelector.requirements[0].key: Required value: must be specified',
    ],
    [
      'In without values',
      { labelSelector: { requirements: [{ key: 'a', operator: 'In' }] } },
      "labelSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      'Exists with values',
      { labelSelector: { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
      "labelSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
  ])('reject %s', async (_, attributes, problem) => {
    const { sendRequest } = hooked(() => review({}), { AuthorizeWithSelectors: true })
    const { status, json } = await sendRequest(REVIEWS, requesting(attributes))
    expect(status).toBe(422)
    expect(json.message).toBe(
      `.authorization.k8s.io "" is invalid: spec.resourceAttributes.${problem}`,
    )
  })

  it('ignore selectors that do not parse, and report them', async () => {
    const { sendRequest, questions } = hooked(() => review({ allowed: true }), {
      AuthorizeWithSelectors: true,
    })
    const requirements = [
      { key: 'a', operator: 'Near', values: ['b'] },
      { key: 'c', operator: 'Exists' },
    ]
    const { json } = await sendRequest(
      REVIEWS,
      requesting({ fieldSelector: { rawSelector: '&&' }, labelSelector: { requirements } }),
    )
    expect(json.status).toEqual({
      allowed: true,
      evaluationError:
        'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector partially ignored due to parse error',
    })
    expect(questions[0]).toEqual({
      verb: 'list',
      version: '*',
      resource: 'pods',
      labelSelector: { requirements: [{ key: 'c', operator: 'Exists' }] },
    })
  })

  it('drop selectors while the feature gate is off', async () => {
    const { sendRequest, questions } = hooked(() => review({ allowed: true }))
    const { json } = await sendRequest(
      REVIEWS,
      requesting({ fieldSelector: {}, labelSelector: { rawSelector: 'a' } }),
    )
    expect(json.spec).toEqual({
      user: 'zoe',
      resourceAttributes: { verb: 'list', resource: 'pods' },
    })
    expect(questions).toEqual([{ verb: 'list', version: '*', resource: 'pods' }])
  })
})
