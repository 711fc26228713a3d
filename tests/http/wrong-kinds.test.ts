import { describe, expect, test } from 'vitest'
import { encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { testClient } from './test-client'

const sendRequest = testClient()
const CONFIG_MAPS = '/api/v1/namespaces/a/configmaps'
const messageFor = async (target: string, body: unknown): Promise<unknown> =>
  (await sendRequest(target, { method: 'POST', body })).json.message

test.each([
  ['v1', 'Status', 'converting (v1.Status) to (v1.DeleteOptions): unknown conversion'],
  [
    'apps/v1',
    'APIVersions',
    'converting (v1.APIVersions) to (v1.DeleteOptions): unknown conversion',
  ],
  [
    'v1',
    'ConfigMap',
    'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:100"',
  ],
])('DeleteOptions as %s %s', async (apiVersion, kind, message) => {
  const { status, json } = await sendRequest(`${CONFIG_MAPS}/gone`, {
    method: 'DELETE',
    body: { apiVersion, kind },
  })
  expect([status, json.message]).toEqual([500, message])
})

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
      { apiVersion: 'nowhere.example/v7', kind: 'Status' },
      'Status in version "v7" cannot be handled as a ConfigMap: converting (v1.Status) to (core.ConfigMap): unknown conversion',
    ],
    [
      { apiVersion: 'autoscaling/v2', kind: 'ListOptions' },
      'ListOptions in version "v2" cannot be handled as a ConfigMap: converting (v1.ListOptions) to (core.ConfigMap): unknown conversion',
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

  test('reports its type errors first', async () => {
    const body = { apiVersion: 'v1', kind: 'Secret', data: 1 }
    expect(await messageFor(CONFIG_MAPS, body)).toContain(
      'json: cannot unmarshal number into Go struct field Secret.data',
    )
  })
})

test('reads kind and apiVersion in any case, the last one if repeated', async () => {
  const secret =
    'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion'
  expect(await messageFor(CONFIG_MAPS, { apiVersion: 'v1', Kind: 'Secret' })).toBe(secret)
  expect(
    await messageFor(CONFIG_MAPS, { kind: 'ConfigMap', APIVERSION: 'v1', KIND: 'Secret' }),
  ).toBe(secret)
  expect(await messageFor(CONFIG_MAPS, { kind: 5, apiVersion: [] })).toContain(
    'cannot unmarshal number into Go struct field .kind of type string',
  )
})

describe('a body of another version', () => {
  test.each([
    ['coordination.k8s.io/', 'without a version has the version of the request'],
    ['/', 'without both is, too'],
  ])('%s: a group %s', async (apiVersion) => {
    const target = '/apis/coordination.k8s.io/v1/namespaces/default/leases?dryRun=All'
    const { status, json } = await sendRequest(target, {
      method: 'POST',
      body: { apiVersion, kind: 'Lease', metadata: { name: 'x' } },
    })
    expect([status, json.apiVersion]).toEqual([201, 'coordination.k8s.io/v1'])
  })

  test('of another group without a version is shown as written', async () => {
    expect(
      await messageFor(CONFIG_MAPS, '{ "apiVersion": "coordination.k8s.io/",  "kind": "Lease" }'),
    ).toBe(
      `Lease in version "" cannot be handled as a ConfigMap: Object 'apiVersion' is missing in '{ "apiVersion": "coordination.k8s.io/",  "kind": "Lease" }'`,
    )
  })

  test('that is or was served', async () => {
    for (const apiVersion of ['apps/v1beta1', 'extensions/v1beta1']) {
      expect(
        await messageFor('/apis/apps/v1/namespaces/a/deployments', {
          apiVersion,
          kind: 'Deployment',
        }),
      ).toBe(
        `the API version in the data (${apiVersion}) does not match the expected API version (apps/v1)`,
      )
    }
  })

  test('that is malformed', async () => {
    expect(await messageFor(CONFIG_MAPS, { apiVersion: 'a/b/c', kind: 'ConfigMap' })).toBe(
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)',
    )
  })
})

describe('a body in Protobuf', () => {
  const sent = (...bytes: number[]) => [...Buffer.from('k8s\0'), ...bytes]
  const post = async (bytes: readonly number[]) => {
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' }
    return (
      await sendRequest('/api/v1/namespaces/default/configmaps', {
        method: 'POST',
        headers,
        body: Uint8Array.from(bytes),
      })
    ).json.message
  }
  /** Returns an envelope with the kind, version and content. */
  const sealed = (apiVersion: string, kind: string, ...raw: number[]) => {
    const text = (number: number, value: string) =>
      value === '' ? [] : [number * 8 + 2, value.length, ...Buffer.from(value)]
    const meta = [...text(1, apiVersion), ...text(2, kind)]
    return sent(0x0a, meta.length, ...meta, 0x12, raw.length, ...raw)
  }

  test.each([
    ['', ''],
    ['v1', ''],
    ['', 'ConfigMap'],
    ['apps/', 'ConfigMap'],
    ['a/b/c', 'ConfigMap'],
  ])('defaults to the kind of the request: %j %j', async (apiVersion, kind) => {
    expect(await post(sealed(apiVersion, kind))).toBe(
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    )
  })

  test.each([
    ['ends too early', [0x0a, 5, 1], 'unexpected EOF'],
    ['has a member of another type', [0x08, 1], 'proto: wrong wireType = 0 for field ObjectMeta'],
    ['has a member without a number', [1], 'proto: ConfigMap: illegal tag 0 (wire type 1)'],
    ['ends a group', [0x0c], 'proto: ConfigMap: wiretype end group for non-group'],
    ['has such a thing further inside', [0x0a, 2, 0x42, 1, 0], 'unexpected EOF'],
    ['has it in a time', [0x0a, 3, 0x42, 1, 0], 'proto: Timestamp: illegal tag 0 (wire type 0)'],
  ])('that %s is reported with its kind', async (_what, raw, why) => {
    expect(await post(sealed('v1', 'ConfigMap', ...raw))).toBe(
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: ${why}`,
    )
  })

  test('of an unknown kind is reported like any other', async () => {
    const unknown =
      'Gadget in version "v1" cannot be handled as a ConfigMap: no kind "Gadget" is registered for version "v1"'
    expect(await post(sealed('v1', 'Gadget'))).toContain(unknown)
    const secret = encodeProtobuf({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', creationTimestamp: null },
    })
    expect(await post([...secret])).toContain(
      'converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    )
  })

  test('without an envelope is shown by its first bytes', async () => {
    const unrecognized = (why: string, shown: string) =>
      `the object provided is unrecognized (must be of type ConfigMap): ${why} (${shown})`
    expect(await post([])).toBe(unrecognized('empty data', '<empty>'))
    expect(await post(sent())).toBe(unrecognized('empty body', '6b387300'))
    expect(await post(sent(0x0a))).toBe(unrecognized('unexpected EOF', '6b3873000a'))
  })
})

describe('a patch with a malformed apiVersion', () => {
  const MAPS = '/api/v1/namespaces/default/configmaps'
  const patched = async (type: string, body: unknown, query = '') => {
    await sendRequest(MAPS, { method: 'POST', body: { metadata: { name: 'patched' } } })
    const headers = { 'content-type': `application/${type}` }
    const { status, json } = await sendRequest(`${MAPS}/patched${query}`, {
      method: 'PATCH',
      headers,
      body,
    })
    return [status, json.message]
  }
  const rejected = [422, expect.stringMatching(/: unexpected GroupVersion string: a\/b\/c$/)]

  test('returns 422', async () => {
    expect(await patched('merge-patch+json', { apiVersion: 'a/b/c' })).toEqual(rejected)
    expect(
      await patched('json-patch+json', [{ op: 'replace', path: '/apiVersion', value: 'a/b/c' }]),
    ).toEqual(rejected)
  })

  test('has no kind as an apply', async () => {
    const body = { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'patched' } }
    expect(await patched('apply-patch+yaml', body, '?fieldManager=m')).toEqual([
      400,
      'invalid object type: /, Kind=',
    ])
  })
})
