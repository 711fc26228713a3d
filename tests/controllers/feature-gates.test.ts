/** Behavior of controllers and of the server with a feature gate on and off. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'
import { sendRequest, testServer } from '../support/server'

const CORE = '/api/v1/namespaces/default'
const APPS = '/apis/apps/v1/namespaces/default'
const BATCH = '/apis/batch/v1/namespaces/default'
const COST = 'controller.kubernetes.io/pod-deletion-cost'

let cluster: Cluster
afterEach(() => cluster?.close())

const start = async (featureGates: Record<string, boolean>, nodes = 0) => {
  cluster = await testCluster({ scheduler: nodes > 0, nodes, featureGates })
  await cluster.pass(1)
}
const get = async (path: string) => (await cluster.sendRequest({ path })).json
const create = async (path: string, body: object) => {
  const response = await cluster.sendRequest({ method: 'POST', path, body })
  expect(response.status, response.text).toBe(201)
}
const merge = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/merge-patch+json' }
  const response = await cluster.sendRequest({ method: 'PATCH', path, body, headers })
  expect(response.status, response.text).toBe(200)
}
const pods = async () =>
  (await get(`${CORE}/pods`)).items as {
    metadata: {
      name: string
      labels: Record<string, string>
      annotations?: Record<string, string>
    }
    spec: { containers: { env?: { valueFrom: { fieldRef: { fieldPath: string } } }[] }[] }
  }[]

describe('PodDeletionCost', () => {
  it.each([true, false])('%s: decides which pod a ReplicaSet deletes', async (isOn) => {
    await start({ PodDeletionCost: isOn })
    const spec = {
      replicas: 1,
      selector: { matchLabels: { app: 'a' } },
      template: podTemplate('a'),
    }
    await create(`${APPS}/replicasets`, { metadata: { name: 'a' }, spec })
    await cluster.pass(1)
    const [older] = (await pods()).map(({ metadata }) => metadata.name)
    await merge(`${CORE}/pods/${older}`, { metadata: { annotations: { [COST]: '-5' } } })
    await cluster.pass(3600)
    await merge(`${APPS}/replicasets/a`, { spec: { replicas: 2 } })
    await cluster.pass(1)
    await merge(`${APPS}/replicasets/a`, { spec: { replicas: 1 } })
    await cluster.pass(1)
    const left = (await pods()).map(({ metadata }) => metadata.name)
    expect(left).toHaveLength(1)
    expect(left.includes(older as string)).toBe(!isOn)
  })

  it('validates costs only while it is on, or if the stored cost is valid', async () => {
    await start({ PodDeletionCost: false })
    const template = podTemplate('a')
    const pod = (name: string, annotations?: object) => ({
      metadata: { name, annotations },
      spec: template.spec,
    })
    await create(`${CORE}/pods`, pod('odd', { [COST]: 'much' }))
    await create(`${CORE}/pods`, pod('none'))
    await merge(`${CORE}/pods/odd`, { metadata: { labels: { a: 'b' } } })
    const { status } = await cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/pods/none`,
      body: { metadata: { annotations: { [COST]: 'much' } } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    expect(status).toBe(422)
    const metadata = { ...template.metadata, annotations: { [COST]: 'much' } }
    const selector = { matchLabels: { app: 'a' } }
    const spec = { serviceName: 's', selector, template: { ...template, metadata } }
    await create(`${APPS}/statefulsets`, { metadata: { name: 's' }, spec })
    await create(`${APPS}/replicasets`, { metadata: { name: 's' }, spec: { ...spec, replicas: 0 } })
  })
})

describe('PodIndexLabel', () => {
  it.each([true, false])('%s: labels pods of sets and of indexed Jobs', async (isOn) => {
    await start({ PodIndexLabel: isOn }, 1)
    await create(`${APPS}/statefulsets`, {
      metadata: { name: 's' },
      spec: {
        serviceName: 's',
        selector: { matchLabels: { app: 's' } },
        template: podTemplate('s'),
      },
    })
    await cluster.pass(5)
    expect((await pods())[0]?.metadata.labels['apps.kubernetes.io/pod-index']).toBe(
      isOn ? '0' : undefined,
    )
    await cluster.sendRequest({ method: 'DELETE', path: `${APPS}/statefulsets/s` })
    await cluster.sendRequest({ method: 'DELETE', path: `${CORE}/pods/s-0?gracePeriodSeconds=0` })
    const template = podTemplate('j', 'img:1', { restartPolicy: 'Never' })
    await create(`${BATCH}/jobs`, {
      metadata: { name: 'j' },
      spec: { completionMode: 'Indexed', completions: 1, template },
    })
    await cluster.pass(1)
    const [pod] = await pods()
    const index = 'batch.kubernetes.io/job-completion-index'
    expect(pod?.metadata.labels[index]).toBe(isOn ? '0' : undefined)
    expect(pod?.metadata.annotations?.[index]).toBe('0')
    expect(pod?.spec.containers[0]?.env?.[0]?.valueFrom.fieldRef.fieldPath).toBe(
      `metadata.${isOn ? 'labels' : 'annotations'}['${index}']`,
    )
  })
})

describe('CronJobsScheduledAnnotation', () => {
  it.each([true, false])('%s: annotates Jobs with their time', async (isOn) => {
    await start({ CronJobsScheduledAnnotation: isOn })
    const template = podTemplate('c', 'img:1', { restartPolicy: 'Never' })
    await create(`${BATCH}/cronjobs`, {
      metadata: { name: 'c' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } },
    })
    await cluster.pass(61)
    const { metadata } = (await get(`${BATCH}/jobs`)).items[0]
    expect('batch.kubernetes.io/cronjob-scheduled-timestamp' in (metadata.annotations ?? {})).toBe(
      isOn,
    )
  })
})

describe('ComponentSLIs', () => {
  it.each([true, false])('%s: serves the metrics of health checks', async (isOn) => {
    const server = testServer({ featureGates: { ComponentSLIs: isOn } })
    const { status } = await sendRequest(server, { path: '/metrics/slis' })
    expect(status).toBe(isOn ? 200 : 404)
    const { json } = await sendRequest(server, { path: '/' })
    expect(json.paths.includes('/metrics/slis')).toBe(isOn)
  })
})
