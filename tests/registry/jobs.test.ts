import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/object'
import { testServer } from './server'

const JOBS = '/apis/batch/v1/namespaces/default/jobs'
const MERGE = 'application/merge-patch+json'

interface Job extends KubeObject {
  spec: { completions?: number; selector?: JsonObject; template: KubeObject }
}

const POD = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] }

const job = (name: string, spec: JsonObject = {}, labels?: Record<string, string>): JsonObject => ({
  metadata: { name, ...(labels && { labels }) },
  spec: { template: { spec: POD }, ...spec },
})

const causes = (body: unknown): string[] =>
  ((body as { details?: { causes?: { field: string; message: string }[] } }).details?.causes ?? []).map(
    ({ field, message }) => `${field}: ${message}`,
  )

describe('labels and selectors of jobs', () => {
  it('are made by the server, for the template and, without labels of its own, for the job', async () => {
    const server = testServer()
    const { body } = await server.send<Job>('POST', JOBS, job('a'))
    const { uid } = body.metadata
    const made = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': uid,
      'job-name': 'a',
    }
    expect(body.spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } })
    expect(body.spec.template.metadata.labels).toEqual(made)
    expect(body.metadata.labels).toEqual(made)
    const own = await server.send<Job>('POST', JOBS, job('b', {}, { mine: 'x' }))
    expect(own.body.metadata.labels).toEqual({ mine: 'x' })
  })

  it('are left to the client by manualSelector', async () => {
    const server = testServer()
    const template = { metadata: { labels: { a: 'b' } }, spec: POD }
    const { body } = await server.send<Job>(
      'POST',
      JOBS,
      job('a', { manualSelector: true, selector: { matchLabels: { a: 'b' } }, template }),
    )
    expect(body.spec.template.metadata.labels).toEqual({ a: 'b' })
    const refused = await server.send('POST', JOBS, job('b', { manualSelector: true, selector: { matchLabels: { a: 'c' } }, template }))
    expect(causes(refused.body)).toEqual([
      'spec.template.metadata.labels: Invalid value: map[string]string{"a":"b"}: `selector` does not match template `labels`',
    ])
  })
})

describe('a job that exists', () => {
  it('changes where its pods run only while it is suspended and has never started', async () => {
    const server = testServer()
    await server.send('POST', JOBS, job('a'))
    const placed = { spec: { template: { spec: { nodeSelector: { disk: 'fast' } } } } }
    const patch = async (body: JsonObject, target = `${JOBS}/a`) => (await server.send('PATCH', target, body, MERGE)).status
    expect(await patch(placed)).toBe(422)
    expect(await patch({ spec: { suspend: true } })).toBe(200)
    expect(await patch(placed)).toBe(200)
    expect(await patch({ spec: { template: { spec: { dnsPolicy: 'Default' } } } })).toBe(422)
    expect(await patch({ status: { startTime: '2024-01-01T00:00:00Z' } }, `${JOBS}/a/status`)).toBe(200)
    expect(await patch({ spec: { template: { spec: { nodeSelector: null } } } })).toBe(422)
  })

  it('changes its completions only if it is indexed and all its pods run at once', async () => {
    const server = testServer()
    await server.send('POST', JOBS, job('a', { completionMode: 'Indexed', completions: 3, parallelism: 3 }))
    const patch = async (spec: JsonObject) => (await server.send('PATCH', `${JOBS}/a`, { spec }, MERGE)).body
    expect(causes(await patch({ completions: 4 }))).toEqual([
      'spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism',
    ])
    expect(((await patch({ completions: 4, parallelism: 4 })) as Job).spec.completions).toBe(4)
  })

  it('keeps its policies', async () => {
    const server = testServer()
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }]
    await server.send('POST', JOBS, job('a', { podFailurePolicy: { rules } }))
    const { body } = await server.send('PATCH', `${JOBS}/a`, { spec: { podFailurePolicy: null } }, MERGE)
    expect(causes(body)).toEqual(['spec.podFailurePolicy: Invalid value: "null": field is immutable'])
  })
})

describe('the status of a job', () => {
  it('counts every pod once', async () => {
    const server = testServer()
    await server.send('POST', JOBS, job('a'))
    const status = { ready: -1, uncountedTerminatedPods: { succeeded: ['x', ''], failed: ['x'] } }
    const { body } = await server.send('PATCH', `${JOBS}/a/status`, { status }, MERGE)
    expect(causes(body)).toEqual([
      'status.ready: Invalid value: -1: must be greater than or equal to 0',
      'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
      'status.uncountedTerminatedPods.failed[0]: Duplicate value: "x"',
    ])
  })

  it('never takes back that the criteria of success are met', async () => {
    const server = testServer()
    await server.send('POST', JOBS, job('a'))
    const patch = (conditions: JsonObject[]) => server.send('PATCH', `${JOBS}/a/status`, { status: { conditions } }, MERGE)
    expect((await patch([{ type: 'SuccessCriteriaMet', status: 'True' }])).status).toBe(200)
    expect(causes((await patch([])).body)).toEqual([
      'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
    ])
  })
})
