/** A request that stays rejected, each time for another reason. */
import { expect, it } from 'vitest'
import { invalid } from '../../src/engine/http/status'
import type { Branches } from '../../src/engine/repair/branch'
import { searchRepairs } from '../../src/engine/repair/search'
import { Trace } from '../../src/engine/telemetry/trace'
import { notSupported } from '../../src/engine/validation/field-errors'

it('is tried a limited number of times', async () => {
  let opened = 0
  const branches: Branches = {
    read: async () => undefined,
    typeOf: () => undefined,
    async open() {
      const field = `spec.field${opened++}`
      return {
        settle: async () => undefined,
        close: async () => undefined,
        async send() {
          const error = invalid({ group: '', kind: 'Pod' }, 'a', [
            notSupported(field, 'none', ['Alpha', 'Bravo', 'Charlie', 'Delta']),
          ])
          const trace = new Trace('', 'POST', '', '', 0, () => 0)
          trace.rejection = error
          trace.attributes = {
            verb: 'create',
            isResource: true,
            path: '/api/v1/namespaces/a/pods',
            group: '',
            version: 'v1',
            resource: 'pods',
            subresource: '',
            namespace: 'a',
            name: '',
          }
          return { status: 422, body: JSON.parse(JSON.stringify(error.status)), trace }
        },
      }
    },
  }
  const request = { method: 'POST', path: '/api/v1/namespaces/a/pods', body: '{}' }
  const { repairs } = await searchRepairs(branches, request, undefined)
  expect(repairs).toEqual([])
  expect(opened).toBe(40)
})
