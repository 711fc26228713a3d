/** Controllers speak the stored versions, whatever the release serves: they work in every release. */
import { expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { testCluster } from '../support/cluster'
import { sampleOf } from './samples'

const NAMESPACE = '/namespaces/default'

it('a deployment of release 1.15 becomes pods that run', async () => {
  const cluster = await testCluster({ release: '1.15', scheduler: true, nodes: 1 })
  await cluster.sendRequest({
    method: 'POST',
    path: `/apis/extensions/v1beta1${NAMESPACE}/deployments`,
    body: sampleOf('extensions/v1beta1', 'Deployment'),
  })
  await cluster.pass(30)
  const { json } = await cluster.sendRequest({
    path: `/apis/apps/v1beta1${NAMESPACE}/deployments/it`,
  })
  expect(json.status).toMatchObject({ replicas: 1, readyReplicas: 1 })
  const nodes = await cluster.sendRequest({ path: '/api/v1/nodes' })
  expect(
    (nodes.json.items as { status: { nodeInfo: { kubeletVersion: string } } }[])[0]?.status.nodeInfo
      .kubeletVersion,
  ).toBe('v1.15.12')
  await cluster.close()
})

it('rolls back to an earlier template through the rollback of an old version', async () => {
  const cluster = await testCluster({ release: '1.15' })
  const path = `/apis/extensions/v1beta1${NAMESPACE}/deployments`
  await cluster.sendRequest({
    method: 'POST',
    path,
    body: sampleOf('extensions/v1beta1', 'Deployment'),
  })
  await cluster.pass(5)
  const image = { spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } } }
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' }
  await cluster.sendRequest({
    method: 'PATCH',
    path: `${path}/it`,
    body: image,
    headers: strategic,
  })
  await cluster.pass(5)
  const rollback = {
    apiVersion: 'extensions/v1beta1',
    kind: 'DeploymentRollback',
    name: 'it',
    rollbackTo: { revision: 1 },
  }
  expect(
    (await cluster.sendRequest({ method: 'POST', path: `${path}/it/rollback`, body: rollback }))
      .status,
  ).toBe(200)
  await cluster.pass(5)
  const { json } = await cluster.sendRequest({ path: `${path}/it` })
  expect(json.spec.template.spec.containers[0].image).toBe('img:1')
  expect(json.spec).not.toHaveProperty('rollbackTo')
  await cluster.close()
})

it('cron jobs and budgets of release 1.20, which has no v1 of them, are run and counted', async () => {
  const cluster = await testCluster({ release: '1.20' })
  await cluster.sendRequest({
    method: 'POST',
    path: `/apis/batch/v1beta1${NAMESPACE}/cronjobs`,
    body: sampleOf('batch/v1beta1', 'CronJob'),
  })
  const budget = {
    ...sampleOf('policy/v1beta1', 'PodDisruptionBudget'),
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  }
  await cluster.sendRequest({
    method: 'POST',
    path: `/apis/policy/v1beta1${NAMESPACE}/poddisruptionbudgets`,
    body: budget,
  })
  await cluster.pass(130)
  const jobs = await cluster.sendRequest({ path: `/apis/batch/v1${NAMESPACE}/jobs` })
  expect((jobs.json.items as KubeObject[]).length).toBeGreaterThan(0)
  const owner = (jobs.json.items as KubeObject[])[0]?.metadata.ownerReferences?.[0]
  expect(owner).toMatchObject({ kind: 'CronJob', name: 'it' })
  const { json } = await cluster.sendRequest({
    path: `/apis/policy/v1beta1${NAMESPACE}/poddisruptionbudgets/it`,
  })
  expect(json.status).toMatchObject({ observedGeneration: 1, desiredHealthy: 1 })
  await cluster.close()
})

it('a service of release 1.20 gets its slices, though v1 of them is not served', async () => {
  const cluster = await testCluster({ release: '1.20' })
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  }
  await cluster.sendRequest({ method: 'POST', path: `/api/v1${NAMESPACE}/services`, body: service })
  await cluster.pass(5)
  const { json } = await cluster.sendRequest({
    path: `/apis/discovery.k8s.io/v1beta1${NAMESPACE}/endpointslices`,
  })
  expect(
    (json.items as KubeObject[]).map(
      ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'],
    ),
  ).toContain('web')
  await cluster.close()
})

it('the scheduler records events of pods in release 1.18, which lacks events.k8s.io/v1', async () => {
  const cluster = await testCluster({ release: '1.18', scheduler: true, nodes: 1 })
  const pod = (name: string, spec: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'img' }], ...spec },
  })
  for (const body of [pod('placed', {}), pod('homeless', { nodeSelector: { zone: 'none' } })])
    await cluster.sendRequest({ method: 'POST', path: `/api/v1${NAMESPACE}/pods`, body })
  await cluster.pass(30)
  const { json } = await cluster.sendRequest({ path: `/api/v1${NAMESPACE}/events` })
  const reported = (
    json.items as unknown as { reason: string; involvedObject: { name: string } }[]
  ).map(({ reason, involvedObject }) => `${reason} ${involvedObject.name}`)
  expect(reported).toEqual(
    expect.arrayContaining(['Scheduled placed', 'FailedScheduling homeless']),
  )
  await cluster.close()
})

it('what was made in an older release is collected after an upgrade, and before', async () => {
  for (const release of ['1.15', '1.31']) {
    const cluster = await testCluster({ release })
    const group = release === '1.15' ? 'extensions/v1beta1' : 'apps/v1'
    const spec = {
      selector: { matchLabels: { app: 'web' } },
      template: (
        sampleOf('extensions/v1beta1', 'Deployment') as unknown as { spec: { template: object } }
      ).spec.template,
    }
    const path = `/apis/${group}${NAMESPACE}/deployments`
    await cluster.sendRequest({
      method: 'POST',
      path,
      body: { apiVersion: group, kind: 'Deployment', metadata: { name: 'it' }, spec },
    })
    await cluster.pass(5)
    await cluster.sendRequest({
      method: 'DELETE',
      path: `${path}/it`,
      body: { propagationPolicy: 'Background' },
    })
    await cluster.pass(60)
    const sets = await cluster.sendRequest({ path: `/apis/apps/v1${NAMESPACE}/replicasets` })
    expect(sets.json.items, release).toEqual([])
    await cluster.close()
  }
})
