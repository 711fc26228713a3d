import { describe, expect, test } from 'vitest'
import { askedServer } from './asking'

const ask = askedServer()
const CONFIG_MAPS = '/api/v1/namespaces/a/configmaps'
const messageFor = async (target: string, body: unknown): Promise<unknown> => (await ask(target, { method: 'POST', body })).json.message

describe('a body of another kind', () => {
  test.each([
    [
      { apiVersion: 'v1', kind: 'Secret' },
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
    ],
    [
      { apiVersion: 'v1', kind: 'PodList', items: [] },
      'PodList in version "v1" cannot be handled as a ConfigMap: converting (v1.PodList) to (core.ConfigMap): unknown conversion',
    ],
    [
      { apiVersion: 'v1', kind: 'constructor' },
      'constructor in version "v1" cannot be handled as a ConfigMap: no kind "constructor" is registered for version "v1" in scheme "pkg/runtime/scheme.go:100"',
    ],
    [
      { apiVersion: 'example.com/v1', kind: 'ConfigMap' },
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "example.com/v1" in scheme "pkg/runtime/scheme.go:100"',
    ],
  ])('%j', async (body, message) => {
    expect(await messageFor(CONFIG_MAPS, body)).toBe(message)
  })

  test('its own errors of type come first', async () => {
    const body = { apiVersion: 'v1', kind: 'Secret', data: 1 }
    expect(await messageFor(CONFIG_MAPS, body)).toContain('json: cannot unmarshal number into Go struct field Secret.data')
  })
})

test('what a body says that it is counts in letters of any size, the last one of several', async () => {
  const secret = 'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion'
  expect(await messageFor(CONFIG_MAPS, { apiVersion: 'v1', Kind: 'Secret' })).toBe(secret)
  expect(await messageFor(CONFIG_MAPS, { kind: 'ConfigMap', APIVERSION: 'v1', KIND: 'Secret' })).toBe(secret)
  expect(await messageFor(CONFIG_MAPS, { kind: 5, apiVersion: [] })).toContain(
    'cannot unmarshal number into Go struct field .kind of type string',
  )
})

describe('a body of another version', () => {
  test.each([
    ['coordination.k8s.io/', 'without a version is of the one that is asked for'],
    ['/', 'without both is, too'],
  ])('%s: a group %s', async (apiVersion) => {
    const target = '/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All'
    const { status, json } = await ask(target, { method: 'POST', body: { apiVersion, kind: 'Lease', metadata: { name: 'x' } } })
    expect([status, json.apiVersion]).toEqual([201, 'coordination.k8s.io/v1'])
  })

  test('that is none in another group, shown as it was written', async () => {
    expect(await messageFor(CONFIG_MAPS, '{ "apiVersion": "coordination.k8s.io/",  "kind": "Lease" }')).toBe(
      `Lease in version "" cannot be handled as a ConfigMap: Object 'apiVersion' is missing in '{ "apiVersion": "coordination.k8s.io/",  "kind": "Lease" }'`,
    )
  })

  test('that is or was served', async () => {
    for (const apiVersion of ['apps/v1beta1', 'extensions/v1beta1']) {
      expect(await messageFor('/apis/apps/v1/namespaces/a/deployments', { apiVersion, kind: 'Deployment' })).toBe(
        `the API version in the data (${apiVersion}) does not match the expected API version (apps/v1)`,
      )
    }
  })

  test('of no form at all', async () => {
    expect(await messageFor(CONFIG_MAPS, { apiVersion: 'a/b/c', kind: 'ConfigMap' })).toBe(
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)',
    )
  })
})
