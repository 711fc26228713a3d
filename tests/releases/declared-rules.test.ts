/** Rules that tags of the Go types declare, from the release on that enforces them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { setOf, union } from '../../src/engine/apply/field-set'
import { resetFieldsOf } from '../../src/engine/apply/reset-fields'
import type { FieldError } from '../../src/engine/http/status'
import { changesOf } from '../../src/engine/release-tables/changes'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { joined } from '../../src/engine/validation/declared/check'
import { invalidValue, required } from '../../src/engine/validation/field-errors'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

const AUTOSCALERS = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
const autoscaler = (spec: object) => ({
  metadata: { name: 'a' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
})

const causesOf = (json: unknown) =>
  ((json as { details?: { causes?: FieldError[] } }).details?.causes ?? []).map(
    ({ field, message }: { field: string; message?: string }) => `${field}: ${message}`,
  )

async function rejection(release: string, path: string, body: object, gates = {}) {
  const server = testServer({ release, featureGates: gates })
  const { json } = await sendRequest(server, { method: 'POST', path, body })
  return causesOf(json)
}

describe('errors of tags', () => {
  it('replace those of the strategy about the same rule, and come last', () => {
    const own = [
      required('spec.a', 'must be given'),
      invalidValue('spec.b', 0, 'must be even'),
      invalidValue('spec.b', 0, 'must be even'),
      invalidValue('spec.c', -1, 'must be greater than or equal to 1'),
    ]
    const tags = [
      required('spec.a'),
      invalidValue('spec.c', -1, 'must be greater than or equal to 1'),
    ]
    expect(
      joined(
        own,
        tags.map((error) => ({ error })),
        { changes: changesOf('1.37') } as never,
      ),
    ).toEqual([own[1], ...tags])
  })

  it('leave errors that only earlier releases print alike', async () => {
    const owner = { apiVersion: '', kind: 'Pod', name: 'a', uid: 'u' }
    const ownerReferences = [owner, { ...owner, uid: 'v' }]
    const object = { metadata: { name: 'a', ownerReferences } }
    const path = '/api/v1/namespaces/default/configmaps'
    expect(await rejection('1.37', path, object)).toEqual([
      'metadata.ownerReferences[0].apiVersion: Required value: must not be empty',
      'metadata.ownerReferences[1].apiVersion: Required value: must not be empty',
    ])
  })

  it('are those of the maximum of an autoscaler', async () => {
    const none = autoscaler({ maxReplicas: 0 })
    expect(await rejection('1.31', AUTOSCALERS, none)).toEqual([
      'spec.maxReplicas: Invalid value: 0: must be greater than 0',
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    ])
    const least =
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`'
    expect(await rejection('1.37', AUTOSCALERS, none)).toEqual([
      least,
      'spec.maxReplicas: Required value',
    ])
    expect(
      await rejection('1.37', AUTOSCALERS, none, { DeclarativeValidationBeta: false }),
    ).toEqual(['spec.maxReplicas: Required value: must be set and greater than 0', least])
  })
})

it('autoscalers have a generation, which changes of the spec raise', async () => {
  const server = testServer({ release: '1.37' })
  const made = await sendRequest(server, {
    method: 'POST',
    path: AUTOSCALERS,
    body: autoscaler({ maxReplicas: 3 }),
  })
  expect(made.json.metadata.generation).toBe(1)
  const patch = (body: object) =>
    sendRequest(server, {
      method: 'PATCH',
      path: `${AUTOSCALERS}/a`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body,
    })
  expect((await patch({ metadata: { labels: { a: 'b' } } })).json.metadata.generation).toBe(1)
  expect((await patch({ spec: { maxReplicas: 4 } })).json.metadata.generation).toBe(2)
  const before = testServer({ release: '1.37', featureGates: { HPAGeneration: false } })
  const plain = await sendRequest(before, {
    method: 'POST',
    path: AUTOSCALERS,
    body: autoscaler({ maxReplicas: 3 }),
  })
  expect(plain.json.metadata).not.toHaveProperty('generation')
})

it('what an autoscaler scales has a readable apiVersion, with a group', async () => {
  const scaling = (apiVersion: string, kind = 'Widget') =>
    autoscaler({ maxReplicas: 1, scaleTargetRef: { apiVersion, kind, name: 'w' } })
  const at = (release: string, body: object) => rejection(release, AUTOSCALERS, body)
  const field = 'spec.scaleTargetRef.apiVersion'
  expect(await at('1.33', scaling('a/b/c'))).toEqual([])
  expect(await at('1.37', scaling('a/b/c'))).toEqual([
    `${field}: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
  ])
  expect(await at('1.37', scaling('v1'))).toEqual([
    `${field}: Invalid value: "v1": apiVersion must specify API group`,
  ])
  expect(await at('1.37', scaling('v1', 'ReplicationController'))).toEqual([])
})

it('a status of a custom resource owns metadata up to 1.36', () => {
  const owns = (statusLeavesMetadata: boolean) =>
    resetFieldsOf({
      group: 'example.com',
      kind: 'Sample',
      subresource: 'status',
      hasStatus: true,
      statusLeavesMetadata,
    })
  expect(owns(false)).toEqual(setOf(['f:spec']))
  expect(owns(true)).toEqual(union(setOf(['f:spec']), setOf(['f:metadata'])))
  expect(changesOf('1.36').has('CustomStatusLeavesMetadata')).toBe(false)
  expect(changesOf('1.37').has('CustomStatusLeavesMetadata')).toBe(true)
})

describe('declared rules of other kinds', () => {
  const reject = async (path: string, body: object) => (await rejection('1.37', path, body)).at(-1)

  it.each([
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles', { rules: [{}] }, 'rules[0].verbs'],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'User' }],
      },
      'subjects[0].name',
    ],
    ['/apis/node.k8s.io/v1/runtimeclasses', {}, 'handler'],
    ['/apis/storage.k8s.io/v1/storageclasses', {}, 'provisioner'],
    [
      '/apis/networking.k8s.io/v1/ingressclasses',
      { spec: { controller: 'example.com/c', parameters: { scope: 'Cluster', kind: 'K' } } },
      'spec.parameters.name',
    ],
    [
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
      { spec: { policyName: 'p' } },
      'spec.validationActions',
    ],
    ['/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations', {}, 'spec.type'],
    [
      '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
      { spec: { type: 'Limited' } },
      'spec.limited',
    ],
  ])('%s of %j require %s', async (path, body, field) => {
    expect(await reject(path, { metadata: { name: 'a' }, ...body })).toBe(
      `${field}: Required value`,
    )
  })

  it('forbid members of another mode without a reason', async () => {
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations'
    const limited = { limitResponse: { type: 'Reject', queuing: {} } }
    expect(
      await reject(path, { metadata: { name: 'a' }, spec: { type: 'Limited', limited } }),
    ).toBe('spec.limited.limitResponse.queuing: Forbidden')
  })

  it('keep values as they are, and do not print new ones', async () => {
    const server = testServer({ release: '1.37' })
    const path = '/apis/storage.k8s.io/v1/storageclasses'
    const body = { metadata: { name: 'a' }, provisioner: 'example.com/p' }
    await sendRequest(server, { method: 'POST', path, body })
    const { json } = await sendRequest(server, {
      method: 'PATCH',
      path: `${path}/a`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { reclaimPolicy: 'Retain', parameters: { a: 'b' } },
    })
    expect(causesOf(json)).toEqual([
      'parameters: Invalid value: null: field is immutable',
      'reclaimPolicy: Invalid value: null: field is immutable',
    ])
  })
})
