import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
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
  (
    (body as { details?: { causes?: { field: string; message: string }[] } }).details?.causes ?? []
  ).map(({ field, message }) => `${field}: ${message}`)

describe('labels and selectors of jobs', () => {
  it('are generated for the template and, without its own labels, for the job', async () => {
    const server = testServer()
    const { body } = await server.send<Job>('POST', JOBS, job('a'))
    const { uid } = body.metadata
    const made = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'a',
      'controller-uid': uid,
      'job-name': 'a',
    }
    expect(body.spec.selector).toEqual({
      matchLabels: { 'batch.kubernetes.io/controller-uid': uid },
    })
    expect(body.spec.template.metadata.labels).toEqual(made)
    expect(body.metadata.labels).toEqual(made)
    const own = await server.send<Job>('POST', JOBS, job('b', {}, { mine: 'x' }))
    expect(own.body.metadata.labels).toEqual({ mine: 'x' })
    // Labels of the job that equal those of its template count as its own.
    const spec = { template: { metadata: { labels: { mine: 'x' } }, spec: POD } }
    const same = await server.send('POST', JOBS, job('same', spec, { mine: 'x' }))
    expect(same.body.metadata.labels).toEqual({ mine: 'x' })
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
    const rejected = await server.send(
      'POST',
      JOBS,
      job('b', { manualSelector: true, selector: { matchLabels: { a: 'c' } }, template }),
    )
    expect(causes(rejected.body)).toEqual([
      'spec.template.metadata.labels: Invalid value: map[string]string{"a":"b"}: `selector` does not match template `labels`',
    ])
  })
})

describe('an existing job', () => {
  it('changes its scheduling directives only while suspended and never started', async () => {
    const server = testServer()
    await server.send('POST', JOBS, job('a'))
    const placed = { spec: { template: { spec: { nodeSelector: { disk: 'fast' } } } } }
    const patch = async (body: JsonObject, target = `${JOBS}/a`) =>
      (await server.send('PATCH', target, body, MERGE)).status
    expect(await patch(placed)).toBe(422)
    expect(await patch({ spec: { suspend: true } })).toBe(200)
    expect(await patch(placed)).toBe(200)
    expect(await patch({ spec: { template: { spec: { dnsPolicy: 'Default' } } } })).toBe(422)
    expect(await patch({ status: { startTime: '2024-01-01T00:00:00Z' } }, `${JOBS}/a/status`)).toBe(
      200,
    )
    expect(await patch({ spec: { template: { spec: { nodeSelector: null } } } })).toBe(422)
  })

  it('changes its completions only if it is indexed and equal to its parallelism', async () => {
    const server = testServer()
    await server.send(
      'POST',
      JOBS,
      job('a', { completionMode: 'Indexed', completions: 3, parallelism: 3 }),
    )
    const patch = async (spec: JsonObject) =>
      (await server.send('PATCH', `${JOBS}/a`, { spec }, MERGE)).body
    expect(causes(await patch({ completions: 4 }))).toEqual([
      'spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism',
    ])
    expect(((await patch({ completions: 4, parallelism: 4 })) as Job).spec.completions).toBe(4)
    const needed = 'spec.completions: Required value: when completion mode is Indexed'
    expect(causes(await patch({ completions: null }))).toEqual([needed, needed])
  })

  it('keeps its policies', async () => {
    const server = testServer()
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }]
    await server.send('POST', JOBS, job('a', { podFailurePolicy: { rules } }))
    const { body } = await server.send(
      'PATCH',
      `${JOBS}/a`,
      { spec: { podFailurePolicy: null } },
      MERGE,
    )
    expect(causes(body)).toEqual([
      'spec.podFailurePolicy: Invalid value: "null": field is immutable',
    ])
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

  it('rejects the removal of SuccessCriteriaMet', async () => {
    const server = testServer()
    await server.send('POST', JOBS, job('a'))
    const patch = (conditions: JsonObject[]) =>
      server.send('PATCH', `${JOBS}/a/status`, { status: { conditions } }, MERGE)
    expect((await patch([{ type: 'SuccessCriteriaMet', status: 'True' }])).status).toBe(200)
    expect(causes((await patch([])).body)).toEqual([
      'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
    ])
  })
})

describe('the spec of a job', () => {
  const indexed = (more: JsonObject) =>
    job('a', { completionMode: 'Indexed', completions: 5, ...more })
  const rejected = async (body: JsonObject) =>
    causes((await testServer().send('POST', JOBS, body)).body)

  it('rejects maxFailedIndexes without a backoff limit per index', async () => {
    expect(await rejected(job('a', { maxFailedIndexes: 1 }))).toEqual([
      'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
      'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
    ])
  })

  it('rejects an unknown completion mode before other errors', async () => {
    expect(await rejected(job('a', { completionMode: 'Other', backoffLimitPerIndex: 1 }))).toEqual([
      'spec.completionMode: Unsupported value: "Other": supported values: "NonIndexed", "Indexed"',
    ])
  })

  it('limits maxFailedIndexes and parallelism above 100000 completions', async () => {
    const many = { completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 }
    const bound = 'when completions are above 100000 and used with backoff limit per index'
    expect(await rejected(indexed(many))).toEqual([
      'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
      `spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 ${bound}`,
    ])
    expect(await rejected(indexed({ ...many, parallelism: 1, maxFailedIndexes: 10_001 }))).toEqual([
      `spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 ${bound}`,
    ])
  })

  it('gets a warning if failed indexes of a very large job cannot be tracked', async () => {
    const server = testServer()
    const large = { completions: 100_001, parallelism: 10_001 }
    const warnings = async (body: JsonObject, path = JOBS) =>
      [(await server.send('POST', path, body)).headers.warning ?? []].flat()
    const why =
      'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail'
    expect(await warnings(indexed(large))).toEqual([`299 - "spec: ${why}"`])
    const jobTemplate = { spec: { completionMode: 'Indexed', ...large, template: { spec: POD } } }
    const cronJob = { metadata: { name: 'a' }, spec: { schedule: '@daily', jobTemplate } }
    expect(await warnings(cronJob, '/apis/batch/v1/namespaces/default/cronjobs')).toEqual([
      `299 - "spec.jobTemplate.spec: ${why}"`,
    ])
    expect(await warnings(job('b', large))).toEqual([])
  })

  it('requires complete rules of a pod failure policy', async () => {
    const rules: JsonObject[] = [
      { onExitCodes: { values: [] } },
      { action: 'FailJob', onExitCodes: { operator: 'In', values: null } },
    ]
    expect(await rejected(job('a', { podFailurePolicy: { rules } }))).toEqual([
      'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
      'spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
      'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []int32{}: at least one value is required',
      'spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: []int32(nil): at least one value is required',
    ])
  })

  it('rejects a succeededCount above the number of parsed indexes', async () => {
    const rules = [{ succeededIndexes: '3-1', succeededCount: 1 }]
    const field = 'spec.successPolicy.rules[0]'
    expect(await rejected(indexed({ successPolicy: { rules } }))).toEqual([
      `${field}.succeededIndexes: Invalid value: "3-1": error parsing succeededIndexes: non-increasing order, previous: 3, current: 1`,
      `${field}.succeededCount: Invalid value: 1: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)`,
    ])
  })
})

describe('a cron job', () => {
  const CRON_JOBS = '/apis/batch/v1/namespaces/default/cronjobs'
  const cronJob = (spec: JsonObject, jobSpec: JsonObject = {}): JsonObject => ({
    metadata: { name: 'a' },
    spec: {
      schedule: '@daily',
      jobTemplate: { spec: { template: { spec: POD }, ...jobSpec } },
      ...spec,
    },
  })

  it('rejects the time zone Local in any case', async () => {
    const zone = async (timeZone: string) =>
      causes((await testServer().send('POST', CRON_JOBS, cronJob({ timeZone }))).body)
    const explicit =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
    expect(await zone('Local')).toEqual([`spec.timeZone: Invalid value: "Local": ${explicit}`])
    expect(await zone('local')).toEqual([
      `spec.timeZone: Invalid value: "local": ${explicit}`,
      'spec.timeZone: Invalid value: "local": unknown time zone local',
    ])
  })

  it.each([undefined, ''])(
    'requires the status of a failure condition, which only a Job defaults: %s',
    async (status) => {
      const rules = [
        {
          action: 'Ignore',
          onPodConditions: [
            { type: 'DisruptionTarget', ...(status === undefined ? {} : { status }) },
          ],
        },
      ]
      const { body } = await testServer().send<{ message: string }>(
        'POST',
        CRON_JOBS,
        cronJob({}, { podFailurePolicy: { rules } }),
      )
      expect(body.message).toContain(
        'onPodConditions[0].status: Required value: valid values: ["False" "True" "Unknown"]',
      )
    },
  )
})

describe('managedBy', () => {
  const JOBS_OF_TIMES = '/apis/batch/v1/namespaces/default/cronjobs'
  const inCronJob = (managedBy: string): JsonObject => ({
    metadata: { name: 'c' },
    spec: { schedule: '@daily', jobTemplate: { spec: { managedBy, template: { spec: POD } } } },
  })
  interface ErrorBody {
    details: { causes: { message: string }[] }
  }

  it('is kept in templates of cron jobs and dropped from new jobs', async () => {
    const server = testServer()
    const { body } = await server.send('POST', JOBS_OF_TIMES, inCronJob('example.com/queue'))
    expect((body.spec as { jobTemplate: { spec: JsonObject } }).jobTemplate.spec.managedBy).toBe(
      'example.com/queue',
    )
    const { body: made } = await server.send('POST', JOBS, job('j', { managedBy: 'none' }))
    expect((made.spec as JsonObject).managedBy).toBeUndefined()
    const { status } = await server.send(
      'PATCH',
      `${JOBS}/j`,
      { spec: { managedBy: 'example.com/queue' } },
      MERGE,
    )
    expect(status).toBe(422)
  })

  it.each([
    ['', ['Required value']],
    ['queue', ['Invalid value: "queue": must be a domain-prefixed path (such as "acme.io/foo")']],
    [`${'x'.repeat(62)}/q`, ['Too long: may not be longer than 63']],
  ])('rejects %j', async (managedBy, messages) => {
    const { body } = await testServer().send<ErrorBody>('POST', JOBS_OF_TIMES, inCronJob(managedBy))
    expect(body.details.causes.map(({ message }) => message)).toEqual(messages)
  })
})

it('a job with a generated name keeps only the labels of its template', async () => {
  const server = testServer()
  const spec = { template: { spec: POD, metadata: { labels: { app: 'a' } } } }
  const { body: named } = await server.send('POST', JOBS, { metadata: { name: 'a' }, spec })
  expect(Object.keys(named.metadata.labels ?? {})).toContain('job-name')
  const { body: generated } = await server.send('POST', JOBS, {
    metadata: { generateName: 'a-' },
    spec,
  })
  expect(generated.metadata.labels).toEqual({ app: 'a' })
})
