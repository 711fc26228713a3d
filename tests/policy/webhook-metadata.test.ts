import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { allowing, owner, patch, pod, serverWith } from './responding-webhooks'

describe('changes of server-managed fields by a webhook', () => {
  const writes: [string, string, string, unknown, string?][] = [
    ['a create', 'POST', '', pod('x', { ownerReferences: [owner] })],
    ['an update', 'PUT', '/old', pod('old', { ownerReferences: [owner] })],
    [
      'a patch',
      'PATCH',
      '/old',
      { metadata: { labels: { a: 'b' } } },
      'application/merge-patch+json',
    ],
    [
      'an apply',
      'PATCH',
      '/x',
      { apiVersion: 'v1', kind: 'Pod', ...pod('x', { ownerReferences: [owner] }) },
      'application/apply-patch+yaml',
    ],
  ]
  const query = (type = '') => (type.includes('apply') ? '?fieldManager=m' : '')

  it.each(writes)(
    'keep managedFields through %s, with a warning',
    async (_, method, name, body, type) => {
      const corrupt = patch({ op: 'remove', path: '/metadata/managedFields/0/fieldsType' })
      const send = await serverWith(
        allowing(({ request }) => (request.object?.metadata.managedFields ? corrupt : {})),
        'mutating',
      )
      const { json, headers } = await send(method, name, body, type, query(type))
      expect(json.metadata.managedFields[0].fieldsType).toBe('FieldsV1')
      expect(headers.get('warning')).toBe(
        '299 - ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: missing fieldsType in managed fields entry 0"',
      )
    },
  )

  it.each(writes)(
    'fold duplicate ownerReferences from %s, and attribute them to the webhook',
    async (_, method, name, body, type) => {
      const send = await serverWith(
        allowing(() => patch({ op: 'add', path: '/metadata/ownerReferences/-', value: owner })),
        'mutating',
      )
      const { json, headers } = await send(method, name, body, type, query(type))
      expect(json.metadata.ownerReferences).toEqual([owner])
      expect(headers.get('warning')).toContain(
        'contains duplicate entries after mutating admission happens;',
      )
    },
  )
})

describe('a webhook that changes server-managed fields', () => {
  const entry = {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: {},
  }
  it.each<[string, JsonObject, string]>([
    ['operation', { operation: 'Other' }, 'operation must be `Apply` or `Update`'],
    ['apiVersion', { apiVersion: '' }, 'apiVersion must not be empty'],
    ['fieldsType', { fieldsType: 'Other' }, 'invalid fieldsType "Other" in managed fields entry 0'],
  ])('gets an error about its managedFields: %s', async (_, wrong, message) => {
    const corrupt = patch({
      op: 'add',
      path: '/metadata/managedFields',
      value: [{ ...entry, ...wrong }],
    })
    const send = await serverWith(
      allowing(() => corrupt),
      'mutating',
    )
    const { status, headers } = await send('POST', '', pod('x'))
    expect([status, headers.get('warning')]).toEqual([
      201,
      expect.stringContaining(
        `please fix your requests: ${message}"`.replaceAll('"', '\\"').replace(/\\"$/, '"'),
      ),
    ])
  })

  it('cannot set a too long manager name, or change the namespace', async () => {
    const rejections: [JsonObject, number, string][] = [
      [
        patch({
          op: 'add',
          path: '/metadata/managedFields',
          value: [{ ...entry, manager: 'm'.repeat(129) }],
        }),
        422,
        'Pod "x" is invalid: metadata.managedFields[0].manager: Too long: must have at most 128 bytes',
      ],
      [
        patch({ op: 'replace', path: '/metadata/namespace', value: 'kube-public' }),
        400,
        'the namespace of the provided object does not match the namespace sent on the request',
      ],
    ]
    for (const [change, status, message] of rejections) {
      const send = await serverWith(
        allowing(() => change),
        'mutating',
      )
      const result = await send('POST', '', pod('x'))
      expect([result.status, result.json.message]).toEqual([status, message])
    }
  })

  it('may set retryAfterSeconds', async () => {
    const details = { retryAfterSeconds: 3 }
    const send = await serverWith(
      allowing(() => ({ allowed: false, status: { code: 429, details } })),
      'mutating',
    )
    const { status, headers } = await send('POST', '', pod('x'))
    expect([status, headers.get('retry-after')]).toEqual([429, '3'])
  })
})
