import { describe, expect, it } from 'vitest'
import type { Attributes, Verdict } from '../../src/engine/authorization/authorizer'
import { rbacAuthorizer } from '../../src/engine/authorization/rbac/authorizer'
import { RoleIndex } from '../../src/engine/authorization/rbac/role-index'
import type { Storage } from '../../src/engine/storage/storage'
import {
  account,
  attributesOf,
  bindingKey,
  group,
  may,
  pathAttributes,
  type RoleBook,
  roleBook,
  roleKey,
  user,
} from './roles'

/** Decisions of the RBAC authorizer over these roles and bindings, including later changes. */
async function evaluate(fill: (book: RoleBook) => Promise<void>) {
  const book = roleBook()
  await fill(book)
  const authorizer = rbacAuthorizer(new RoleIndex(book.storage))
  return {
    book,
    sendRequest: async (attributes: Attributes): Promise<Verdict> =>
      authorizer.authorize(attributes),
  }
}

const ALLOWED = { decision: 'allow' }
const NO_OPINION = { decision: 'noOpinion', reason: '' }

describe('the RBAC authorizer', () => {
  it('has no opinion where no rule allows, and never denies', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('a', 'r', [may('get', 'pods')])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'a'))).toMatchObject(ALLOWED)
    expect(await sendRequest(attributesOf('jane', 'list', 'pods', 'a'))).toEqual(NO_OPINION)
    expect(await sendRequest(attributesOf('joe', 'get', 'pods', 'a'))).toEqual(NO_OPINION)
  })

  it('adds up the rules of all bindings', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('a', 'r', [may('get', 'pods')])
      await book.role('a', 's', [may('list', 'pods')])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
      await book.binding('a', 'c', 'Role/s', [group('system:authenticated')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'a'))).toMatchObject(ALLOWED)
    expect(await sendRequest(attributesOf('jane', 'list', 'pods', 'a'))).toMatchObject(ALLOWED)
  })

  it('limits a ClusterRole to the namespace of a RoleBinding', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('', 'view', [may('get', 'pods,nodes')])
      await book.binding('', 'b', 'ClusterRole/view', [user('jane')])
      await book.binding('a', 'b', 'ClusterRole/view', [user('joe')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'z'))).toMatchObject(ALLOWED)
    expect(await sendRequest(attributesOf('jane', 'get', 'nodes'))).toMatchObject(ALLOWED)
    expect(await sendRequest(attributesOf('joe', 'get', 'pods', 'a'))).toMatchObject(ALLOWED)
    expect(await sendRequest(attributesOf('joe', 'get', 'pods', 'z'))).toEqual(NO_OPINION)
    expect(await sendRequest(attributesOf('joe', 'get', 'nodes'))).toEqual(NO_OPINION)
  })

  it('resolves a Role only in the namespace of its binding', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('z', 'r', [may('get', 'pods')])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'a'))).toEqual({
      decision: 'noOpinion',
      reason: 'RBAC: role.rbac.authorization.k8s.io "r" not found',
    })
  })

  it('matches non-resource URLs, with a trailing "*" as a prefix', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('', 'paths', [{ verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*'] }])
      await book.binding('', 'b', 'ClusterRole/paths', [user('jane')])
      await book.binding('a', 'b', 'ClusterRole/paths', [user('joe')])
    })
    expect(await sendRequest(pathAttributes('jane', 'get', '/metrics'))).toMatchObject(ALLOWED)
    expect(await sendRequest(pathAttributes('jane', 'get', '/metrics/x'))).toEqual(NO_OPINION)
    expect(await sendRequest(pathAttributes('jane', 'get', '/logs/a/b'))).toMatchObject(ALLOWED)
    expect(await sendRequest(pathAttributes('jane', 'post', '/metrics'))).toEqual(NO_OPINION)
    expect(await sendRequest(pathAttributes('joe', 'get', '/metrics'))).toEqual(NO_OPINION)
  })

  it.each([
    ['resources', { verbs: ['get'], apiGroups: [''], resources: ['*'] }],
    ['groups', { verbs: ['get'], apiGroups: ['*'], resources: ['pods/log'] }],
    ['verbs', { verbs: ['*'], apiGroups: [''], resources: ['pods/log'] }],
    ['resources of a subresource', { verbs: ['get'], apiGroups: [''], resources: ['*/log'] }],
  ])('matches all %s with "*"', async (_, rule) => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('a', 'r', [rule])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods/log', 'a'))).toMatchObject(ALLOWED)
  })

  it('distinguishes subresources, and does not expand "*" after the slash', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('a', 'r', [may('get', 'pods,services/*')])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods/log', 'a'))).toEqual(NO_OPINION)
    expect(await sendRequest(attributesOf('jane', 'get', 'services/proxy', 'a'))).toEqual(
      NO_OPINION,
    )
  })

  it('limits a rule to resourceNames, which create never has', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('a', 'r', [may('get,create', 'pods', ['one'])])
      await book.binding('a', 'b', 'Role/r', [user('jane')])
    })
    expect(
      await sendRequest(attributesOf('jane', 'get', 'pods', 'a', { name: 'one' })),
    ).toMatchObject(ALLOWED)
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'a', { name: 'two' }))).toEqual(
      NO_OPINION,
    )
    expect(await sendRequest(attributesOf('jane', 'create', 'pods', 'a'))).toEqual(NO_OPINION)
  })

  it('compares names of users and groups case-sensitively', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('a', 'r', [may('get', 'pods')])
      await book.binding('a', 'b', 'Role/r', [user('Jane')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'a'))).toEqual(NO_OPINION)
  })

  it('defaults the namespace of a ServiceAccount in a RoleBinding only', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('', 'r', [may('get', 'pods')])
      await book.binding('a', 'b', 'ClusterRole/r', [account('bot')])
      await book.binding('', 'c', 'ClusterRole/r', [account('other')])
      await book.binding('z', 'd', 'ClusterRole/r', [account('bot', 'a')])
    })
    const bot = 'system:serviceaccount:a:bot'
    expect(await sendRequest(attributesOf(bot, 'get', 'pods', 'a'))).toMatchObject({
      reason: 'RBAC: allowed by RoleBinding "b/a" of ClusterRole "r" to ServiceAccount "bot/a"',
    })
    expect(await sendRequest(attributesOf(bot, 'get', 'pods', 'z'))).toMatchObject({
      reason: 'RBAC: allowed by RoleBinding "d/z" of ClusterRole "r" to ServiceAccount "bot/a"',
    })
    expect(
      await sendRequest(attributesOf('system:serviceaccount:a:other', 'get', 'pods', 'a')),
    ).toEqual(NO_OPINION)
  })

  it('names the deciding binding, cluster bindings first', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.role('', 'r', [may('get', 'pods')])
      await book.binding('a', 'a', 'ClusterRole/r', [user('jane')])
      await book.binding('', 'z', 'ClusterRole/r', [
        user('x'),
        group('system:authenticated'),
        user('jane'),
      ])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'a'))).toMatchObject({
      decision: 'allow',
      reason:
        'RBAC: allowed by ClusterRoleBinding "z" of ClusterRole "r" to Group "system:authenticated"',
    })
  })

  it('reports each missing role once', async () => {
    const { sendRequest } = await evaluate(async (book) => {
      await book.binding('a', 'b', 'Role/ghost', [user('jane')])
      await book.binding('a', 'c', 'Role/ghost', [user('jane')])
      await book.binding('', 'd', 'ClusterRole/gone', [user('jane')])
    })
    expect(await sendRequest(attributesOf('jane', 'get', 'pods', 'a'))).toEqual({
      decision: 'noOpinion',
      reason:
        'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "ghost" not found]',
    })
  })

  it('follows changes of roles and bindings', async () => {
    const { book, sendRequest } = await evaluate(async (filled) => {
      await filled.role('a', 'r', [may('get', 'pods')])
      await filled.binding('a', 'b', 'Role/r', [user('jane')])
    })
    const question = attributesOf('jane', 'get', 'pods', 'a')
    expect(await sendRequest(question)).toMatchObject(ALLOWED)
    await book.role('a', 'r', [may('list', 'pods')])
    expect(await sendRequest(question)).toEqual(NO_OPINION)
    await book.role('a', 'r', [may('get', 'pods')])
    await book.binding('a', 'b', 'Role/r', [user('joe')])
    expect(await sendRequest(question)).toEqual(NO_OPINION)
    await book.binding('a', 'b', 'Role/r', [user('joe'), user('jane')])
    expect(await sendRequest(question)).toMatchObject(ALLOWED)
    await book.remove(bindingKey('a', 'b'))
    expect(await sendRequest(question)).toEqual(NO_OPINION)
    await book.remove(roleKey('a', 'r'))
    expect(await sendRequest(question)).toEqual(NO_OPINION)
  })

  it('rereads all roles after a reload or a failed read', async () => {
    const book = roleBook()
    await book.role('a', 'r', [may('get', 'pods')])
    await book.binding('a', 'b', 'Role/r', [user('jane')])
    const { storage } = book
    const ends: (() => void)[] = []
    let failing = true
    const watched: Storage = {
      ...storage,
      range: (prefix, options) =>
        failing ? Promise.reject(new Error('not now')) : storage.range(prefix, options),
      watch(prefix, from, sink) {
        ends.push(() => sink.end('closed'))
        return storage.watch(prefix, from, sink)
      },
    }
    const authorizer = rbacAuthorizer(new RoleIndex(watched))
    const question = attributesOf('jane', 'get', 'pods', 'a')
    await expect(authorizer.authorize(question)).rejects.toThrow('not now')
    failing = false
    expect(await authorizer.authorize(question)).toMatchObject(ALLOWED)
    for (const end of ends.splice(0)) end()
    await book.remove(bindingKey('a', 'b'))
    const reading = authorizer.authorize(question)
    expect(reading).toBeInstanceOf(Promise)
    expect(await reading).toEqual(NO_OPINION)
    expect(ends).toHaveLength(4)
  })

  it('decides synchronously once the roles are loaded', async () => {
    const book = roleBook()
    const authorizer = rbacAuthorizer(new RoleIndex(book.storage))
    await authorizer.authorize(attributesOf('jane', 'get', 'pods'))
    expect(authorizer.authorize(attributesOf('jane', 'get', 'pods'))).toEqual(NO_OPINION)
  })
})
