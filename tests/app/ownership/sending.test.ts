/** A step is retried on a conflict, as often as kubectl retries. */

import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { applyRequest } from '../../../src/app/features/ownership/apply-request'
import { type Step, toServerSide } from '../../../src/app/features/ownership/recipes'
import { sendStep } from '../../../src/app/features/ownership/sending'
import { useMoment } from '../../../src/app/state/moment'
import { API_BASE } from '../../../src/app/state/workspace'
import { withLastApplied } from '../../../src/console/three-way'
import type { KubeObject } from '../../../src/engine/core/object'
import type { ApiServer } from '../../../src/engine/server/server'
import { jsonObject } from '../../support/json-objects'
import { sendRequest, testServer } from '../../support/server'
import { applied, DEPLOYMENTS, deployment, WEB } from './support'

// Browser globals that the page's state reads when it is loaded.
vi.hoisted(() => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('addEventListener', () => undefined)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const PATH = `${DEPLOYMENTS}/web`
const CONTROLLER = 'kube-controller-manager'

let server: ApiServer
/** The number of patches that conflict with a controller's status update. */
let rivals: number
let patches: number

beforeEach(async () => {
  useMoment.setState({ revision: undefined })
  ;[rivals, patches] = [0, 0]
  server = testServer()
  const body = withLastApplied(jsonObject(deployment(WEB)))
  await sendRequest(server, {
    method: 'POST',
    path: `${DEPLOYMENTS}?fieldManager=kubectl-client-side-apply`,
    body,
  })
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers }: RequestInit) => {
    const request = new Request(`http://localhost/${url.slice(API_BASE.length)}`, {
      method,
      headers: headers ?? {},
      body: body ?? null,
    })
    request.headers.set('authorization', 'Bearer admin')
    if (method === 'PATCH' && patches++ < rivals) await progress(patches)
    return server.fetch(request)
  })
})

async function progress(ready: number): Promise<void> {
  const path = `${PATH}/status?fieldManager=${CONTROLLER}`
  const body = { status: { replicas: 9, readyReplicas: ready } }
  const { status } = await sendRequest(server, {
    method: 'PATCH',
    path,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  expect(status).toBe(200)
}

const migration = (object: KubeObject): Step | undefined => toServerSide(object, PATH)[1]
const managers = async (): Promise<string[]> =>
  ((await sendRequest(server, { path: PATH })).json as KubeObject).metadata.managedFields?.map(
    ({ manager = '' }) => manager,
  ) ?? []

it('computes a step again from the current object after a conflict, and keeps other writes', async () => {
  rivals = 3
  const done = await sendStep(PATH, migration)
  expect([done?.response.status, done?.times]).toEqual([200, 4])
  expect(await managers()).toEqual(['kubectl', CONTROLLER])
  expect((await sendRequest(server, { path: PATH })).json.status.readyReplicas).toBe(3)
})

it('stops after repeated conflicts, and returns the last response', async () => {
  rivals = Number.POSITIVE_INFINITY
  const done = await sendStep(PATH, migration)
  expect([done?.response.status, done?.times]).toEqual([409, 5])
  expect(await managers()).toContain('kubectl-client-side-apply')
})

it('sends once on a conflict of field managers, which a retry cannot resolve', async () => {
  await applied(server, PATH, deployment({ ...WEB, replicas: 7 }), {
    manager: 'alice',
    force: true,
  })
  const request = applyRequest(PATH, JSON.stringify(deployment({ ...WEB, replicas: 8 })), {
    manager: 'bob',
  })
  const done = await sendStep(PATH, () => ({ title: '', about: '', manager: 'bob', request }))
  expect([done?.response.status, done?.times, patches]).toEqual([409, 1, 1])
})

it('sends nothing where what is there leaves nothing to send', async () => {
  expect(await sendStep(PATH, () => undefined)).toBeUndefined()
  expect(patches).toBe(0)
})
