import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import type { Release } from '../../src/engine/releases/release'
import { testServer } from '../admission/server'

beforeAll(() => loadTables('1.37'))

const GROUP = '/apis/admissionregistration.k8s.io/v1'

async function bound(release: Release, expression: string) {
  const server = testServer({ release })
  const { status, body } = await server.send('POST', `${GROUP}/validatingadmissionpolicies`, {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
          },
        ],
      },
      validations: [{ expression }],
    },
  })
  await server.send('POST', `${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'] },
  })
  const create = async (data: Record<string, string>) =>
    (
      await server.send('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: 'c' },
        data,
      })
    ).status
  return { status, message: body.message, create }
}

describe('names between backquotes', () => {
  it('select fields since 1.37', async () => {
    const { status, create } = await bound('1.37', "object.data.`a-b` == '1'")
    expect([status, await create({ 'a-b': '2' }), await create({ 'a-b': '1' })]).toEqual([
      201, 422, 201,
    ])
  })

  it('are unsupported before', async () => {
    const { status, message } = await bound('1.36', "object.data.`a-b` == '1'")
    expect([status, message]).toEqual([422, expect.stringContaining("unsupported syntax: '`'")])
  })
})
