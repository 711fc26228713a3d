import { describe, expect, it } from 'vitest'
import { built } from './building'
import { attributesOf, pathAttributes } from './roles'

const policy = (spec: Record<string, unknown>) =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec })

function by(...lines: string[]) {
  const { authorizer } = built(
    { modes: ['ABAC'], policyFile: '/policies' },
    { files: { '/policies': lines.join('\n') } },
  )
  return authorizer
}

const ALLOWED = { decision: 'allow', reason: '' }
const UNMATCHED = { decision: 'noOpinion', reason: 'No policy matched.' }
const ANONYMOUS = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

describe('the ABAC authorizer (kubernetes.io, "Using ABAC Authorization")', () => {
  it('allows requests that match the user, namespace and group of a policy', async () => {
    const authorizer = by(policy({ user: 'jane', namespace: 'a', resource: 'pods', apiGroup: '' }))
    expect(await authorizer.authorize(attributesOf('jane', 'delete', 'pods', 'a'))).toMatchObject(
      ALLOWED,
    )
    expect(await authorizer.authorize(attributesOf('jane', 'delete', 'pods', 'b'))).toEqual(
      UNMATCHED,
    )
    expect(
      await authorizer.authorize(attributesOf('jane', 'delete', 'pods', 'a', { group: 'apps' })),
    ).toEqual(UNMATCHED)
    expect(await authorizer.authorize(attributesOf('joe', 'delete', 'pods', 'a'))).toEqual(
      UNMATCHED,
    )
  })

  it('requires both the user and the group that a policy names', async () => {
    const authorizer = by(
      policy({ user: 'jane', group: 'ops', namespace: '*', resource: '*', apiGroup: '*' }),
    )
    expect(
      await authorizer.authorize(attributesOf({ name: 'jane', groups: ['ops'] }, 'get', 'pods')),
    ).toMatchObject(ALLOWED)
    expect(
      await authorizer.authorize(attributesOf({ name: 'jane', groups: [] }, 'get', 'pods')),
    ).toEqual(UNMATCHED)
  })

  it('matches every authenticated user with "*"', async () => {
    const authorizer = by(policy({ user: '*', namespace: '*', resource: '*', apiGroup: '*' }))
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toMatchObject(ALLOWED)
    expect(await authorizer.authorize(attributesOf(ANONYMOUS, 'get', 'pods'))).toEqual(UNMATCHED)
  })

  it('allows get, list and watch with a read-only policy', async () => {
    const authorizer = by(
      policy({ user: 'jane', namespace: '*', resource: '*', apiGroup: '*', readonly: true }),
    )
    for (const verb of ['get', 'list', 'watch'])
      expect(await authorizer.authorize(attributesOf('jane', verb, 'pods'))).toMatchObject(ALLOWED)
    for (const verb of ['create', 'proxy'])
      expect(await authorizer.authorize(attributesOf('jane', verb, 'pods'))).toEqual(UNMATCHED)
  })

  it('ignores subresources', async () => {
    const authorizer = by(policy({ user: 'jane', namespace: '*', resource: 'pods', apiGroup: '' }))
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods/log', 'a'))).toMatchObject(
      ALLOWED,
    )
  })

  it('matches non-resource paths, which a resource policy does not cover', async () => {
    const authorizer = by(
      policy({ user: 'jane', nonResourcePath: '/logs*' }),
      policy({ user: 'joe', namespace: '*', resource: '*', apiGroup: '*' }),
    )
    expect(await authorizer.authorize(pathAttributes('jane', 'get', '/logs/a'))).toMatchObject(
      ALLOWED,
    )
    expect(await authorizer.authorize(pathAttributes('jane', 'get', '/'))).toEqual(UNMATCHED)
    expect(await authorizer.authorize(pathAttributes('joe', 'get', '/logs'))).toEqual(UNMATCHED)
  })

  it('reads unversioned lines, in which an omitted member matches everything', async () => {
    const authorizer = by(
      '# once',
      '',
      '{"user":"jane","readonly":true}',
      '{"resource":"services","namespace":"a"}',
    )
    expect(
      await authorizer.authorize(attributesOf('jane', 'get', 'pods', 'z', { group: 'x' })),
    ).toMatchObject(ALLOWED)
    expect(await authorizer.authorize(pathAttributes('jane', 'get', '/anything'))).toMatchObject(
      ALLOWED,
    )
    expect(
      await authorizer.authorize(attributesOf('joe', 'create', 'services', 'a')),
    ).toMatchObject(ALLOWED)
    expect(await authorizer.authorize(pathAttributes('joe', 'get', '/anything'))).toEqual(UNMATCHED)
  })

  it('lists the rules of the user', async () => {
    const authorizer = by(
      policy({ user: 'jane', namespace: 'a', resource: 'pods', apiGroup: '', readonly: true }),
      policy({ user: 'jane', namespace: 'b', resource: 'secrets', apiGroup: '' }),
    )
    expect(await authorizer.rules?.({ name: 'jane', groups: [] }, 'a')).toEqual({
      resourceRules: [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [],
      incomplete: false,
    })
  })

  it.each([
    ['{"user":', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    [
      '{"apiVersion":"v1","kind":"Pod"}',
      'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [
      policy({ user: 7 }),
      'json: cannot unmarshal number into Go struct field PolicySpec.spec.user of type string',
    ],
    [
      '{"readonly":"yes"}',
      'json: cannot unmarshal string into Go struct field Policy.readonly of type bool',
    ],
  ])('rejects a file with the line %s', (line, problem) => {
    expect(() => by('', line)).toThrow(
      `invalid authorization config: error reading policy file /policies, line 2: ${line}: ${problem}`,
    )
  })
})
