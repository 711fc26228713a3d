import { describe, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Trace } from '../../src/engine/telemetry/trace'
import { TEST_RELEASE } from '../support/release'
import { built } from './building'
import { attributesOf, group, may, type RoleBook, roleBook, user } from './roles'

async function verdict(fill: (book: RoleBook) => Promise<void>) {
  const book = roleBook()
  await fill(book)
  const { authorizer } = built({ modes: ['RBAC'] }, { storage: book.storage })
  return authorizer
}

describe('the binding chain of a decision', () => {
  it('leads from the subject through binding and role to the rule', async () => {
    const rule = may('get,list', 'pods')
    const authorizer = await verdict(async (book) => {
      await book.role('', 'view', [may('get', 'nodes'), rule])
      await book.binding('a', 'readers', 'ClusterRole/view', [group('system:authenticated')])
    })
    expect(await authorizer.authorize(attributesOf('jane', 'list', 'pods', 'a'))).toEqual({
      decision: 'allow',
      reason:
        'RBAC: allowed by RoleBinding "readers/a" of ClusterRole "view" to Group "system:authenticated"',
      by: { type: 'RBAC', name: 'rbac' },
      grounds: {
        subject: { kind: 'Group', name: 'system:authenticated' },
        binding: { kind: 'RoleBinding', name: 'readers', namespace: 'a' },
        role: { kind: 'ClusterRole', name: 'view', namespace: '' },
        rule,
      },
    })
  })

  it('names the deciding authorizer where it has no binding chain', async () => {
    const { authorizer } = built({ modes: ['AlwaysAllow'] })
    expect(await authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toMatchObject({
      by: { type: 'AlwaysAllow', name: 'alwaysallow' },
    })
    expect(
      await authorizer.authorize(
        attributesOf({ name: 'x', groups: ['system:masters'] }, 'get', 'pods'),
      ),
    ).toMatchObject({
      by: { type: 'Superusers', name: 'system:masters' },
    })
  })
})

describe('a near miss of a denied request', () => {
  it.each([
    ['another verb', 'verb', attributesOf('jane', 'delete', 'secrets', 'a', { name: 'one' })],
    ['another name', 'name', attributesOf('jane', 'get', 'secrets', 'a', { name: 'two' })],
    [
      'another namespace',
      'namespace',
      attributesOf('jane', 'get', 'secrets', 'b', { name: 'one' }),
    ],
    [
      'another group',
      'group',
      attributesOf('jane', 'get', 'secrets', 'a', { name: 'one', group: 'apps' }),
    ],
    [
      'a resource for its subresource',
      'subresource',
      attributesOf('jane', 'get', 'secrets/status', 'a', { name: 'one' }),
    ],
  ])('is a rule with %s', async (_, lacks, question) => {
    const authorizer = await verdict(async (book) => {
      await book.role('a', 'r', [may('get', 'secrets', ['one'])])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
    })
    expect(await authorizer.authorize(question)).toMatchObject({ decision: 'noOpinion' })
    expect(authorizer.nearMisses?.(question)).toMatchObject([
      { lacks, binding: { name: 'b' }, role: { name: 'r' } },
    ])
  })

  it('is a missing role that a binding refers to', async () => {
    const authorizer = await verdict((book) => book.binding('a', 'b', 'Role/ghost', [user('jane')]))
    const question = attributesOf('jane', 'get', 'pods', 'a')
    await authorizer.authorize(question)
    expect(authorizer.nearMisses?.(question)).toEqual([
      {
        lacks: 'role',
        subject: user('jane'),
        binding: { kind: 'RoleBinding', name: 'b', namespace: 'a' },
        role: { kind: 'Role', name: 'ghost', namespace: 'a' },
      },
    ])
  })

  it('excludes rules that differ in two attributes or belong to another subject', async () => {
    const authorizer = await verdict(async (book) => {
      await book.role('a', 'r', [may('get', 'secrets')])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
    })
    const questions = [
      attributesOf('jane', 'delete', 'secrets', 'b'),
      attributesOf('joe', 'delete', 'secrets', 'a'),
      attributesOf('jane', 'get', 'pods', 'a'),
    ]
    for (const question of questions) {
      await authorizer.authorize(question)
      expect(authorizer.nearMisses?.(question)).toEqual([])
    }
  })
})

describe('the trace of a request', () => {
  const GROUP = 'rbac.authorization.k8s.io'
  const metadata = (name: string) => ({ apiVersion: `${GROUP}/v1`, metadata: { name } })

  /** Returns the trace of a request of jane, who may get ConfigMaps of the namespace default. */
  async function traced(method: string, target: string): Promise<Trace | undefined> {
    const log = { error: (message: string) => expect.unreachable(message) }
    const tokens = 'root-token,root,,"system:masters"\njane-token,jane,,\n'
    const server = createApiServer({
      release: TEST_RELEASE,
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log,
      storage: createMemoryStorage(),
      tokens,
    })
    const send = (token: string, verb: string, path: string, body?: unknown) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return server.fetchTarget(
        new Request('http://x/', {
          method: verb,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
        path,
      )
    }
    const base = `/apis/${GROUP}/v1/namespaces/default`
    await send('root-token', 'POST', `${base}/roles`, {
      ...metadata('r'),
      kind: 'Role',
      rules: [may('get', 'configmaps')],
    })
    const roleRef = { apiGroup: GROUP, kind: 'Role', name: 'r' }
    await send('root-token', 'POST', `${base}/rolebindings`, {
      ...metadata('b'),
      kind: 'RoleBinding',
      subjects: [user('jane')],
      roleRef,
    })
    let seen: Trace | undefined
    server.onTrace((trace) => {
      seen = trace
    })
    await send('jane-token', method, target)
    return seen
  }

  it('shows the binding chain of an allowed request', async () => {
    const trace = await traced('GET', '/api/v1/namespaces/default/configmaps/c')
    expect(trace?.authorization).toMatchObject({
      decision: 'allow',
      by: { type: 'RBAC' },
      grounds: { binding: { name: 'b' }, role: { name: 'r' }, rule: { verbs: ['get'] } },
    })
  })

  it('shows the near misses of a denied request', async () => {
    const trace = await traced('DELETE', '/api/v1/namespaces/default/configmaps/c')
    expect(trace?.authorization).toMatchObject({
      decision: 'forbid',
      nearMisses: [{ lacks: 'verb', binding: { name: 'b' } }],
    })
  })
})
