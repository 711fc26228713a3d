/** Fields that validation or strict decoding rejects. */
import { describe, expect, it } from 'vitest'
import { type Cluster, deployment, podTemplate } from '../support/cluster'
import { APPLY, expectRepairs, send } from './support'

const nothing = async (): Promise<void> => undefined
const CORE = '/api/v1/namespaces/default'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const JOBS = '/apis/batch/v1/namespaces/default/jobs'

const service = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec,
})
const pod = (container: object, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [container], ...spec },
})

const CORRECTED: [string, { path: string; body: object }, unknown[]][] = [
  [
    'a misspelled value',
    {
      path: `${CORE}/services`,
      body: service({ type: 'LoadBalance', ports: [{ port: 80 }] }),
    },
    [{ place: ['spec', 'type'], value: 'LoadBalancer' }],
  ],
  [
    'a missing selector',
    {
      path: DEPLOYMENTS,
      body: { ...deployment('web', 1), spec: { template: podTemplate('web') } },
    },
    [{ place: ['spec', 'selector'], value: { matchLabels: { app: 'web' } } }],
  ],
  [
    'labels that the selector does not match',
    {
      path: DEPLOYMENTS,
      body: deployment('web', 1, { template: podTemplate('shop') }),
    },
    [{ place: ['spec', 'template', 'metadata', 'labels'], value: { app: 'web' } }],
  ],
  [
    'the missing name of a container',
    { path: `${CORE}/pods`, body: pod({ image: 'registry.example/team/nginx:1.27' }) },
    [{ place: ['spec', 'containers', 0, 'name'], value: 'nginx' }],
  ],
  [
    'the missing names of ports',
    {
      path: `${CORE}/services`,
      body: service({ ports: [{ port: 80 }, { port: 443 }] }),
    },
    [
      { place: ['spec', 'ports', 0, 'name'], value: 'port-80' },
      { place: ['spec', 'ports', 1, 'name'], value: 'port-443' },
    ],
  ],
  [
    'the restart policy of a Job',
    {
      path: JOBS,
      body: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'once' },
        spec: { template: { spec: { containers: [{ name: 'c', image: 'img' }] } } },
      },
    },
    [{ place: ['spec', 'template', 'spec', 'restartPolicy'], value: 'Never' }],
  ],
  [
    'a name with capital letters',
    {
      path: `${CORE}/configmaps`,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'My_Settings' } },
    },
    [{ place: ['metadata', 'name'], value: 'my-settings' }],
  ],
  [
    'a number below its minimum',
    { path: DEPLOYMENTS, body: deployment('web', -1) },
    [{ place: ['spec', 'replicas'], value: 0 }],
  ],
]

describe('an invalid field', () => {
  it.each(CORRECTED)('is corrected: %s', async (_, { path, body }, edits) => {
    const [repair] = await expectRepairs(nothing, { method: 'POST', path, body }, ['CorrectFields'])
    expect(repair?.edits).toEqual(edits)
  })

  it('is corrected in the path too', async () => {
    const rejected = {
      method: 'PATCH',
      path: `${CORE}/configmaps/WEB?fieldManager=me`,
      contentType: APPLY,
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: WEB\n',
    }
    const [repair] = await expectRepairs(nothing, rejected, ['CorrectFields'])
    expect(repair?.request.path).toBe(`${CORE}/configmaps/web?fieldManager=me`)
  })

  it('that is immutable gets its stored value', async () => {
    const prepare = async (cluster: Cluster) => {
      await send(cluster, { method: 'POST', path: DEPLOYMENTS, body: deployment('web', 1) })
    }
    const body = deployment('web', 1, {
      selector: { matchLabels: { app: 'other' } },
      template: podTemplate('other'),
    })
    const rejected = {
      method: 'PUT',
      path: `${DEPLOYMENTS}/web`,
      body,
    }
    const [repair] = await expectRepairs(prepare, rejected, ['CorrectFields'])
    expect(repair?.edits).toContainEqual({
      place: ['spec', 'selector'],
      value: { matchLabels: { app: 'web' } },
    })
  })

  it('of an unknown kind of error has no repair', async () => {
    const body = service({ ports: [] })
    await expectRepairs(nothing, { method: 'POST', path: `${CORE}/services`, body }, [])
  })
})

describe('an unknown field', () => {
  const body = deployment('web', 1, { replica: 3 })

  it('is renamed or removed', async () => {
    const rejected = { method: 'POST', path: `${DEPLOYMENTS}?fieldValidation=Strict`, body }
    const { replicas: _replicas, ...spec } = body.spec
    const [rename, remove] = await expectRepairs(
      nothing,
      { ...rejected, body: { ...body, spec } },
      ['RenameUnknownFields', 'RemoveUnknownFields'],
    )
    expect(rename?.edits).toEqual([
      { place: ['spec', 'replicas'], value: 3 },
      { place: ['spec', 'replica'] },
    ])
    expect(remove?.edits).toEqual([{ place: ['spec', 'replica'] }])
  })

  it('is only removed if the object has the known one', async () => {
    const rejected = { method: 'POST', path: `${DEPLOYMENTS}?fieldValidation=Strict`, body }
    await expectRepairs(nothing, rejected, ['RemoveUnknownFields'])
  })

  it('with a wrong indentation is moved', async () => {
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', data: { mode: 'fast' } },
    }
    const rejected = {
      method: 'POST',
      path: `${CORE}/configmaps?fieldValidation=Strict`,
      body: map,
    }
    const [move] = await expectRepairs(nothing, rejected, [
      'MoveUnknownFields',
      'RemoveUnknownFields',
    ])
    expect(JSON.parse(move?.request.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { mode: 'fast' },
    })
  })

  it('of an apply is removed', async () => {
    const rejected = {
      method: 'PATCH',
      path: `${DEPLOYMENTS}/web?fieldManager=me`,
      contentType: APPLY,
      body,
    }
    await expectRepairs(nothing, rejected, ['RemoveUnknownFields'])
  })
})
