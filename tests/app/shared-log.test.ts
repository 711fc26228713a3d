/**
 * Which requests of the log are shared, where their reader starts, and the result of replaying
 * them.
 */
import { describe, expect, it } from 'vitest'
import { withoutDerived } from '../../src/app/features/share/derived'
import {
  recorded,
  revisionBefore,
  sharedActors,
  sharedClock,
  sharedSettings,
  withoutVersions,
} from '../../src/app/features/share/gather'
import { isSame, type Replayed, replay, type Send } from '../../src/app/features/share/replay'
import type { RecordedRequest } from '../../src/app/features/share/scenario'
import { HIDDEN } from '../../src/app/state/log-credentials'
import type { LoggedRequest } from '../../src/app/state/logged-request'
import type { KubeObject } from '../../src/engine/core/object'
import { FIRST_SETTINGS } from '../../src/hosts/shared/engine-settings'

const entry = (part: Partial<LoggedRequest>): LoggedRequest => ({
  id: 1,
  at: 0,
  method: 'GET',
  path: '/api/v1/pods',
  who: 'admin',
  origin: 'action',
  headers: { Accept: 'application/json', Authorization: `Bearer ${HIDDEN}` },
  status: 200,
  ...part,
})

describe('the shared log', () => {
  it('contains requests of users and scripts, with only the headers that matter', () => {
    const log = [
      entry({ origin: 'page' }),
      entry({ path: '/api/v1/pods?watch=1' }),
      entry({ path: '/api/v1/namespaces/default/pods/web/log?follow=true' }),
      entry({ failure: 'lost', status: undefined }),
      entry({ origin: 'script' }),
      entry({
        method: 'PATCH',
        body: '{}',
        headers: { 'Content-Type': 'application/merge-patch+json', Authorization: 'x' },
      }),
      entry({
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
        status: 409,
      }),
    ] as LoggedRequest[]
    expect(recorded(log)).toEqual([
      { method: 'GET', path: '/api/v1/pods', who: 'admin', status: 200 },
      {
        method: 'PATCH',
        path: '/api/v1/pods',
        who: 'admin',
        status: 200,
        body: '{}',
        contentType: 'application/merge-patch+json',
      },
      { method: 'POST', path: '/api/v1/pods', who: 'admin', status: 409, body: '{}' },
    ])
  })

  it('begins before the first request that changed something', () => {
    const revisionOf = (resourceVersion: string) =>
      JSON.stringify({ kind: 'ConfigMap', metadata: { resourceVersion } })
    const path = '/api/v1/namespaces/default/configmaps/a'
    const log = [
      entry({ response: revisionOf('900') }),
      entry({ method: 'PUT', path, status: 409, response: '{"kind":"Status"}' }),
      entry({ method: 'POST', path: `${path}?dryRun=All`, status: 201, response: revisionOf('1') }),
      entry({ method: 'PUT', path, response: revisionOf('42') }),
    ]
    expect(revisionBefore(log, [])).toBe(41)
    const deletion = entry({ method: 'DELETE', path, response: '{"kind":"Status","metadata":{}}' })
    const gone = {
      revision: 30,
      type: 'DELETED' as const,
      kind: 'ConfigMap',
      namespace: 'default',
      name: 'a',
      at: undefined,
    }
    expect(revisionBefore([deletion, ...log], [gone])).toBe(29)
    expect(revisionBefore(log.slice(0, 3), [gone])).toBeUndefined()
    const made = { ...gone, revision: 20, type: 'ADDED' as const }
    const unchanged = entry({ method: 'PATCH', path, response: revisionOf('20') })
    expect(revisionBefore([unchanged, ...log], [made, gone])).toBe(41)
    expect(
      revisionBefore(
        [entry({ method: 'POST', path, status: 201, response: revisionOf('20') }), ...log],
        [made, gone],
      ),
    ).toBe(19)
  })
})

const made = (kind: string, name: string, managers: string[], owner?: string): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    uid: name,
    resourceVersion: '5',
    managedFields: managers.map((manager) => ({ manager })),
    ...(owner ? { ownerReferences: [{ uid: owner }] } : {}),
  } as KubeObject['metadata'],
})

describe('the shared state', () => {
  it('leaves out what controllers make again, but not what a person touched, nor its owners', () => {
    const deployment = made('Deployment', 'web', ['kubectl', 'kube-controller-manager'])
    const replicaSet = made('ReplicaSet', 'web-1', ['kube-controller-manager'], 'web')
    const labelled = made(
      'Pod',
      'web-1-a',
      ['kube-controller-manager', 'kubelet', 'kubectl-label'],
      'web-1',
    )
    const other = made('Pod', 'web-1-b', ['kube-controller-manager', 'kubelet'], 'web-1')
    const bootstrap = [
      made('Namespace', 'default', ['kube-apiserver']),
      made('ServiceAccount', 'default', []),
    ]
    const all = [...bootstrap, deployment, replicaSet, labelled, other]
    expect(withoutDerived(all)).toEqual([deployment, replicaSet, labelled])
    expect(withoutDerived(all.filter((object) => object !== labelled))).toEqual([deployment])
    expect(withoutVersions([deployment])[0]?.metadata).not.toHaveProperty('resourceVersion')
    expect(deployment.metadata.resourceVersion).toBe('5')
  })

  it('contains the release and changed settings, and neither credentials nor code', () => {
    const { release } = FIRST_SETTINGS
    expect(sharedSettings(FIRST_SETTINGS, undefined)).toEqual({ release })
    const handlers = [{ name: 'a', address: 'https://a', source: 's', code: 'c' }]
    const access = {
      ...FIRST_SETTINGS.access,
      tokenFile: '/tokens',
      files: { '/tokens': 'secret,eve,1' },
    }
    expect(sharedSettings({ ...FIRST_SETTINGS, nodes: 0, handlers, access, seed: 7 }, 7)).toEqual({
      release,
      nodes: 0,
      seed: 7,
    })
  })

  it('contains the clock only if it differs from real time', () => {
    expect(sharedClock({ time: 1000, rate: 1 }, 1500)).toBeUndefined()
    expect(sharedClock({ time: 1000.4, rate: 0 }, 1500)).toEqual({ time: 1000, rate: 0 })
    expect(sharedClock({ time: 1000, rate: 1 }, 90_000)).toEqual({ time: 1000, rate: 1 })
  })

  const ADMIN = { name: 'admin', groups: ['system:masters'], token: 'admin-token' }
  it('contains names and groups of users, and no credential', () => {
    const builder = {
      name: 'builder',
      groups: ['devs'],
      token: 'eyJ.secret',
      certificate: 'PEM',
      from: 'bearer token' as const,
    }
    expect(sharedActors([ADMIN], ADMIN, '')).toBeUndefined()
    expect(sharedActors([ADMIN, builder], builder, 'ops')).toEqual({
      acting: 'builder',
      fieldManager: 'ops',
      added: [{ name: 'builder', groups: ['devs'] }],
    })
  })
})

const request = (part: Partial<RecordedRequest>): RecordedRequest => ({
  method: 'POST',
  path: '/a',
  who: 'admin',
  status: 201,
  ...part,
})
const now = async (): Promise<void> => undefined

describe('replaying', () => {
  const responding = (...statuses: number[]) => {
    const sent: Parameters<Send>[0][] = []
    const send: Send = async (one) => {
      sent.push(one)
      return {
        status: one.method === 'GET' ? 200 : (statuses.shift() ?? 0),
        json: { metadata: { resourceVersion: '77' } },
      }
    }
    return { sent, send }
  }

  it('compares the status with the recorded one', async () => {
    const { send } = responding(201, 409)
    const [same, other] = [
      await replay(request({}), send, now),
      await replay(request({ status: 409 }), send, now),
    ]
    expect([isSame(request({}), same), isSame(request({ status: 409 }), other)]).toEqual([
      true,
      true,
    ])
    expect(isSame(request({}), { status: 200 } satisfies Replayed)).toBe(false)
  })

  it('retries while controllers are working, but never a successful request', async () => {
    const late = responding(403, 403, 201)
    expect(await replay(request({}), late.send, now)).toEqual({ status: 201 })
    expect(late.sent).toHaveLength(3)
    const done = responding(200, 201)
    expect(await replay(request({}), done.send, now)).toEqual({ status: 200 })
    expect(done.sent).toHaveLength(1)
    const never = responding(403, 403, 403, 403, 201)
    expect(await replay(request({}), never.send, now)).toEqual({ status: 403 })
  })

  it('brings versions up to date where they were, and leaves those that were late', async () => {
    const body = JSON.stringify({ metadata: { name: 'a', resourceVersion: '5' } })
    const { sent, send } = responding(200, 409)
    await replay(request({ method: 'PUT', status: 200, body }), send, now)
    await replay(request({ method: 'PUT', status: 409, body }), send, now)
    expect(
      sent
        .filter(({ method }) => method === 'PUT')
        .map((one) => JSON.parse(one.body ?? '').metadata.resourceVersion),
    ).toEqual(['77', '5'])
  })

  it('does not send what lacks its credentials', async () => {
    const { sent, send } = responding(201)
    expect(await replay(request({ body: `{"data":{"a":"${HIDDEN}"}}` }), send, now)).toHaveProperty(
      'skipped',
    )
    expect(sent).toEqual([])
  })
})
