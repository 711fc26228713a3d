/**
 * Jobs with `managedBy`: the field is immutable, and the status of such a job is validated more
 * (`JobManagedBy`).
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { type Causes, causes, type TestServer, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const JOBS = '/apis/batch/v1/namespaces/default/jobs'
const BEGIN = '2026-01-01T00:00:00Z'
const END = '2026-01-02T03:04:05Z'

const job = (name: string, members: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    ...members,
  },
})
const hold = (...types: string[]) => types.map((type) => ({ type, status: 'True' }))

async function serverWith(members: JsonObject = {}, status?: JsonObject): Promise<TestServer> {
  const server = testServer({ featureGates: { JobManagedBy: true } })
  await server.send('POST', JOBS, job('j', { managedBy: 'example.com/queue', ...members }))
  if (status) expect((await report(server, status)).status).toBe(200)
  return server
}
const report = (server: TestServer, status: JsonObject) =>
  server.send<Causes>('PATCH', `${JOBS}/j/status`, { status }, MERGE)

describe('managedBy', () => {
  it('is kept and immutable', async () => {
    const server = await serverWith()
    const { body } = await server.send('GET', `${JOBS}/j`)
    expect((body.spec as JsonObject).managedBy).toBe('example.com/queue')
    for (const managedBy of ['example.com/other', null]) {
      const { status } = await server.send('PATCH', `${JOBS}/j`, { spec: { managedBy } }, MERGE)
      expect(status).toBe(422)
    }
  })
})

describe('the status of a job', () => {
  it.each<[what: string, status: JsonObject, rejections: string[]]>([
    [
      'that is complete has an event, a start time and a completion time',
      { conditions: hold('Complete') },
      [
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.startTime: Required value: startTime is required for finished job',
      ],
    ],
    [
      'that failed is announced, and has not ended',
      { conditions: hold('Failed'), startTime: BEGIN, completionTime: END },
      [
        'status.completionTime: Invalid value: 2026-01-02 03:04:05 +0000 UTC: cannot set completionTime when there is no Complete=True condition',
        'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
      ],
    ],
    [
      'that is finished has no pods left',
      { conditions: hold('FailureTarget', 'Failed'), startTime: BEGIN, active: 1, terminating: 2 },
      [
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.terminating: Invalid value: 2: terminating>0 is invalid for finished job',
      ],
    ],
    [
      'has no more ready pods than active ones',
      { ready: 1 },
      ['status.ready: Invalid value: 1: cannot set more ready pods than active'],
    ],
    [
      'names no index twice',
      { completedIndexes: '0,2-3', failedIndexes: '1,3-4' },
      [
        'status.failedIndexes: Invalid value: "1,3-4": failedIndexes and completedIndexes overlap at index: 3',
      ],
    ],
    [
      'names indexes that there are',
      { completedIndexes: '7' },
      [
        'status.completedIndexes: Invalid value: "7": error parsing completedIndexes: too large index: "7"',
      ],
    ],
  ])('%s', async (_, status, rejections) => {
    const server = await serverWith({
      completionMode: 'Indexed',
      completions: 5,
      parallelism: 3,
      backoffLimitPerIndex: 1,
    })
    const response = await report(server, status)
    expect(response.status).toBe(422)
    expect(causes(response.body)).toEqual(rejections)
  })

  it('rejects counters that decrease', async () => {
    const server = await serverWith({}, { startTime: BEGIN, failed: 2, succeeded: 1 })
    const { body } = await report(server, { failed: 1, succeeded: 0, startTime: null })
    expect(causes(body)).toEqual([
      'status.failed: Invalid value: 1: cannot decrease the failed counter',
      'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter',
      'status.startTime: Required value: startTime cannot be removed for unsuspended job',
    ])
  })

  it('stays complete', async () => {
    const complete = {
      startTime: BEGIN,
      completionTime: END,
      conditions: hold('SuccessCriteriaMet', 'Complete'),
    }
    const server = await serverWith({}, complete)
    const { body } = await report(server, {
      conditions: hold('SuccessCriteriaMet'),
      completionTime: null,
    })
    expect(causes(body)).toEqual([
      'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
    ])
  })

  it('accepts an invalid value that has not changed', async () => {
    const server = await serverWith(
      { completionMode: 'Indexed', completions: 5, parallelism: 5 },
      { completedIndexes: '3-4' },
    )
    expect(
      (await server.send('PATCH', `${JOBS}/j`, { spec: { completions: 2, parallelism: 2 } }, MERGE))
        .status,
    ).toBe(200)
    expect((await report(server, { active: 1 })).status).toBe(200)
    expect((await report(server, { completedIndexes: '2-4' })).status).toBe(422)
  })

  it('is validated less if the built-in controller writes it', async () => {
    const server = testServer()
    await server.send('POST', JOBS, job('j'))
    expect((await report(server, { conditions: hold('Complete') })).status).toBe(200)
  })
})
