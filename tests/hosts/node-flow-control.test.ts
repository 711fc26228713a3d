/**
 * The e2e specifications of API priority and fairness (test/e2e/apimachinery/flowcontrol.go), over
 * sockets of the Node host.
 */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleNodeHost } from '../../scripts/bundle-host'
import { readExposition } from '../support/exposition'
import { type Started, start } from '../support/processes'

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1'
const ADMIN = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
const SECONDS = 3
/** On a shared machine the tests may not reach the 90 requests a second of the specification. */
const HIGH_RATE = 30
const LOW_RATE = 4
const COMPLETED_SHARE = 0.9

let server: Started
let url: string
beforeAll(async () => {
  const flags = ['--port=0', '--warm-up=off', '--controllers=off', '--scheduler=off', '--nodes=0']
  server = await start([await bundleNodeHost(), ...flags])
  url = /http:\S+/.exec(server.line)?.[0] ?? ''
})
afterAll(async () => {
  server.process.kill('SIGTERM')
  await once(server.process, 'exit')
})

async function create(resource: string, body: object): Promise<{ uid: string }> {
  const response = await fetch(`${url}${GROUP}/${resource}`, {
    method: 'POST',
    headers: ADMIN,
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { metadata: { uid: string } }).metadata
}

const createLevel = (name: string) =>
  create('prioritylevelconfigurations', {
    metadata: { name },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
    },
  })

const createSchema = (name: string, level: string, matchingPrecedence: number, users: string[]) =>
  create('flowschemas', {
    metadata: { name },
    spec: {
      matchingPrecedence,
      priorityLevelConfiguration: { name: level },
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: users.map((user) => ({ kind: 'User', user: { name: user } })),
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
  })

async function nominalLimit(level: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`, { headers: ADMIN })).text()
  return readExposition(text)
    .find(({ name }) => name === 'apiserver_flowcontrol_nominal_limit_seats')
    ?.samples.find(({ labels }) => labels.priority_level === level)?.value
}

/** Waits until a FlowSchema has no dangling reference and its level has a limit. */
async function steady(schema: string, level: string): Promise<number> {
  await expect
    .poll(async () => {
      const response = await fetch(`${url}${GROUP}/flowschemas/${schema}`, { headers: ADMIN })
      const { status } = (await response.json()) as {
        status: { conditions: { type: string; status: string }[] }
      }
      return status.conditions.find(({ type }) => type === 'Dangling')?.status
    })
    .toBe('False')
  await expect.poll(() => nominalLimit(level)).toBeGreaterThan(0)
  return (await nominalLimit(level)) as number
}

const send = (user: string) =>
  fetch(`${url}/version`, {
    headers: { ...ADMIN, 'impersonate-user': user, 'impersonate-group': 'system:authenticated' },
  })

interface Load {
  user: string
  concurrency: number
  perSecond: number
}

/** Each sender keeps the rate. @returns the share of all requests that completed in time */
async function uniformLoad({ user, concurrency, perSecond }: Load): Promise<number> {
  const begun = performance.now()
  const end = begun + SECONDS * 1000
  const count = SECONDS * perSecond
  let completed = 0
  const sender = async () => {
    for (let i = 0; i < count; i++) {
      const wait = begun + (i * 1000) / perSecond - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      const response = await send(user)
      await response.text()
      if (response.status === 200 && performance.now() <= end) completed++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender))
  return completed / (concurrency * count)
}

/** The busy user has twice the seats of the level in flight; the quiet user has half of them. */
const loadsOf = (high: number, low: number): Load[] => [
  { user: 'highqps', concurrency: Math.max(1, Math.floor(high * 2)), perSecond: HIGH_RATE },
  { user: 'lowqps', concurrency: Math.max(1, Math.floor(low * 0.5)), perSecond: LOW_RATE },
]

describe('API priority and fairness', () => {
  it('classifies requests by a FlowSchema and a PriorityLevelConfiguration', async () => {
    const level = await createLevel('e2e-level')
    const schema = await createSchema('e2e-schema', 'e2e-level', 1000, ['noxu'])
    await steady('e2e-schema', 'e2e-level')
    const uids = async (user: string) => {
      const { headers } = await send(user)
      return ['flowschema', 'prioritylevel'].map((of) => headers.get(`x-kubernetes-pf-${of}-uid`))
    }
    expect(await uids('noxu')).toEqual([schema.uid, level.uid])
    const [schemaUid, levelUid] = await uids('foo')
    expect([schemaUid, levelUid]).not.toContain(null)
    expect([schemaUid, levelUid]).not.toEqual([schema.uid, level.uid])
  })

  it('keeps a busy user of a higher precedence from drowning out another (priority)', {
    timeout: 60_000,
  }, async () => {
    await createLevel('level-high')
    await createLevel('level-low')
    await createSchema('schema-high', 'level-high', 999, ['highqps'])
    await createSchema('schema-low', 'level-low', 1000, ['lowqps'])
    const high = await steady('schema-high', 'level-high')
    const low = await steady('schema-low', 'level-low')
    for (const share of await Promise.all(loadsOf(high, low).map(uniformLoad)))
      expect(share).toBeGreaterThanOrEqual(COMPLETED_SHARE)
  })

  it('keeps a busy user from drowning out another of the same level (fairness)', {
    timeout: 60_000,
  }, async () => {
    await createLevel('level-shared')
    await createSchema('schema-shared', 'level-shared', 998, ['highqps', 'lowqps'])
    const limit = await steady('schema-shared', 'level-shared')
    for (const share of await Promise.all(loadsOf(limit, limit).map(uniformLoad)))
      expect(share).toBeGreaterThanOrEqual(COMPLETED_SHARE)
  })
})
