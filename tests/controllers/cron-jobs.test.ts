/** When a CronJob creates Jobs, and how it cleans up old ones. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, podTemplate, testCluster } from '../support/cluster'

const BATCH = '/apis/batch/v1/namespaces/default'
const POLICIES = '/apis/admissionregistration.k8s.io/v1'
const MINUTE = 60

let cluster: Cluster
afterEach(() => cluster.close())

const running = async () => {
  cluster = await testCluster({ scheduler: true, nodes: 1 })
}
const create = async (path: string, body: object) => {
  const response = await cluster.sendRequest({ method: 'POST', path, body })
  expect(response.status, response.text).toBe(201)
  return response.json
}
const cronJob = (name: string, schedule: string, spec: object = {}, command = 'true') => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name },
  spec: {
    schedule,
    jobTemplate: {
      spec: {
        template: podTemplate(name, 'img:1', {
          restartPolicy: 'Never',
          containers: [{ name: 'c', image: 'img:1', command: [command] }],
        }),
      },
    },
    ...spec,
  },
})
const patch = (name: string, body: object, subresource = '') =>
  cluster.sendRequest({
    method: 'PATCH',
    path: `${BATCH}/cronjobs/${name}${subresource}`,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
const jobs = async (): Promise<string[]> =>
  (await cluster.sendRequest({ path: `${BATCH}/jobs` })).json.items.map(
    (job: Named) => job.metadata.name,
  )
const statusOf = async (name: string) =>
  (await cluster.sendRequest({ path: `${BATCH}/cronjobs/${name}` })).json.status
const events = async (reason: string): Promise<string[]> =>
  (
    await cluster.sendRequest({
      path: `/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind%3DCronJob,reason%3D${reason}`,
    })
  ).json.items.map((event: { message: string }) => event.message)
interface Named {
  metadata: { name: string }
}

describe('a CronJob', () => {
  it('continues when it cannot delete an old Job, and reports why', async () => {
    await running()
    await create(`${POLICIES}/validatingadmissionpolicies`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'keep-jobs' },
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ['batch'],
              apiVersions: ['v1'],
              operations: ['DELETE'],
              resources: ['jobs'],
            },
          ],
        },
        validations: [{ expression: 'false', message: 'jobs are kept' }],
      },
    })
    await create(`${POLICIES}/validatingadmissionpolicybindings`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'keep-jobs' },
      spec: { policyName: 'keep-jobs', validationActions: ['Deny'] },
    })
    await create(
      `${BATCH}/cronjobs`,
      cronJob('tidy', '* * * * *', { successfulJobsHistoryLimit: 1 }),
    )
    await cluster.pass(3 * MINUTE + 30)
    expect(await jobs()).toHaveLength(3)
    const reported = await events('FailedDelete')
    expect(reported.length).toBeGreaterThan(0)
    expect(reported[0]).toMatch(
      /^Deleted job: jobs\.batch "tidy-\d+" is forbidden: .*jobs are kept$/,
    )
    expect(await statusOf('tidy')).not.toHaveProperty('active')
  })

  it('emits no completion event for Jobs beyond its history limits', async () => {
    await running()
    await create(
      `${BATCH}/cronjobs`,
      cronJob('brief', '* * * * *', { successfulJobsHistoryLimit: 0 }),
    )
    await cluster.pass(MINUTE + 30)
    expect(await jobs()).toEqual([])
    expect(await events('SuccessfulDelete')).toHaveLength(1)
    expect(await events('SawCompletedJob')).toEqual([])
    expect(await statusOf('brief')).toHaveProperty('lastSuccessfulTime')
  })

  it('reports a schedule without future times as invalid', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, cronJob('never', '0 12 30 2 *'))
    await cluster.pass(1)
    expect(await events('InvalidSchedule')).toEqual([
      'invalid schedule: 0 12 30 2 * : time difference between two schedules is less than 1 second',
    ])
  })

  it('starts an interval at its creation, even when suspended at first', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, cronJob('often', '@every 10m', { suspend: true }))
    await cluster.pass(7 * MINUTE)
    await patch('often', { spec: { suspend: false } })
    await cluster.pass(2 * MINUTE)
    expect(await jobs()).toEqual([])
    await cluster.pass(1 * MINUTE)
    expect(await jobs()).toHaveLength(1)
    await cluster.pass(10 * MINUTE)
    expect(await jobs()).toHaveLength(2)
  })

  it('does not start Jobs at once for times that a new schedule missed', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, cronJob('moved', '0 0 1 1 *'))
    await cluster.pass(5.5 * MINUTE)
    await patch('moved', { spec: { schedule: '* * * * *' } })
    await cluster.pass(20)
    expect(await jobs()).toEqual([])
    await cluster.pass(20)
    expect(await jobs()).toHaveLength(1)
    await patch('moved', { spec: { schedule: '0 12 30 2 *' } })
    await cluster.pass(1)
    expect(await events('InvalidSchedule')).toHaveLength(1)
  })

  it('reports an orphaned Job missing only after its deletion', async () => {
    await running()
    await create(
      `${BATCH}/cronjobs`,
      cronJob('giver', '* * * * *', { concurrencyPolicy: 'Forbid' }, 'sleep'),
    )
    await cluster.pass(MINUTE)
    const [name] = await jobs()
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${BATCH}/jobs/${name}`,
      body: { metadata: { ownerReferences: null } },
      headers,
    })
    await cluster.pass(1)
    expect((await statusOf('giver')).active).toMatchObject([{ name }])
    expect(await events('MissingJob')).toEqual([])
    await cluster.sendRequest({ method: 'DELETE', path: `${BATCH}/jobs/${name}` })
    await cluster.pass(MINUTE)
    expect(await events('MissingJob')).toEqual([`Active job went missing: ${name}`])
  })

  it('restores an owned Job to its active list, and ignores others', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, cronJob('mine', '@hourly', {}, 'sleep'))
    await cluster.pass(60 * MINUTE)
    const [name] = await jobs()
    await patch('mine', { status: { active: null, lastScheduleTime: null } }, '/status')
    await cluster.pass(1)
    expect((await statusOf('mine')).active).toMatchObject([{ name }])
    expect(await events('SuccessfulCreate')).toHaveLength(1)

    const next = `mine-${Number(name?.split('-')[1]) + 60}`
    const { jobTemplate } = cronJob('mine', '').spec
    await create(`${BATCH}/jobs`, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: next },
      spec: { ...jobTemplate.spec, suspend: true },
    })
    await cluster.pass(60 * MINUTE)
    expect(await statusOf('mine')).toMatchObject({ lastScheduleTime: '2026-01-01T01:00:00Z' })
  })

  it('computes missed times from the interval between the first two', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, cronJob('slept', '*/2 * * * *', { suspend: true }))
    await cluster.pass(201 * MINUTE)
    await patch('slept', { spec: { suspend: false } })
    await cluster.pass(1)
    expect(await events('TooManyMissedTimes')).toEqual([])
    expect(await jobs()).toHaveLength(1)
    await patch('slept', { spec: { suspend: true } })
    await cluster.pass(250 * MINUTE)
    await patch('slept', { spec: { suspend: false } })
    await cluster.pass(1)
    expect(await events('TooManyMissedTimes')).toHaveLength(1)
    expect(await jobs()).toHaveLength(2)
  })

  it('uses only the day of the week when the days of the month include *', async () => {
    await running()
    await create(`${BATCH}/cronjobs`, cronJob('weekly', '0 6 *,15 * mon'))
    await cluster.pass(8 * 24 * 60 * MINUTE)
    expect((await jobs()).length).toBeLessThan(3)
  })
})
