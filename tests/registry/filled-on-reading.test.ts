/**
 * Some objects are stored without what reads add: the phase of a claim, the labels of a job. Their
 * first write is therefore a change, even an empty one. Recorded from kube-apiserver 1.31 with
 * etcd.
 */

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { jsonObject } from '../support/json-objects'
import { testServer } from './server'

const JOBS = '/apis/batch/v1/namespaces/default/jobs'
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const MERGE = 'application/merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

const claim = {
  metadata: { name: 'a' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const job = (labels?: Record<string, string>): JsonObject => ({
  metadata: { name: 'a' },
  spec: {
    template: {
      ...(labels && { metadata: { labels } }),
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
    },
  },
})

/**
 * Creates the object and patches it three times: `+` for a new resourceVersion, `=` for the same
 * one.
 */
async function versions(path: string, object: JsonObject): Promise<string> {
  const server = testServer()
  let before = (await server.send('POST', path, object)).body.metadata.resourceVersion
  let output = ''
  for (let write = 0; write < 3; write++) {
    const { status, body } = await server.send('PATCH', `${path}/a`, {}, MERGE)
    expect(status).toBe(200)
    output += body.metadata.resourceVersion === before ? '=' : '+'
    before = body.metadata.resourceVersion
  }
  return output
}

describe('the first write of an object that reads fill in', () => {
  it('changes a claim, and a job whose labels the server generated', async () => {
    expect(await versions(CLAIMS, claim)).toBe('+==')
    expect(await versions(JOBS, job())).toBe('+==')
  })

  it('changes neither a job with the labels of its template nor other kinds', async () => {
    expect(await versions(JOBS, job({ app: 'x' }))).toBe('===')
    expect(
      await versions('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } }),
    ).toBe('===')
  })

  it('may be a PUT or an apply as well', async () => {
    const server = testServer()
    const created = await server.send('POST', CLAIMS, claim)
    const put = await server.send('PUT', `${CLAIMS}/a`, jsonObject(created.body))
    expect(put.body.metadata.resourceVersion).not.toBe(created.body.metadata.resourceVersion)
    const body = { apiVersion: 'batch/v1', kind: 'Job', ...job() }
    const applied = [1, 2, 3].map(
      () => () => server.send('PATCH', `${JOBS}/a?fieldManager=m`, body, APPLY),
    )
    const seen: (string | undefined)[] = []
    for (const apply of applied) seen.push((await apply()).body.metadata.resourceVersion)
    expect(new Set(seen).size).toBe(2)
    expect(seen[1]).toBe(seen[2])
  })

  it('is not a dry run', async () => {
    const server = testServer()
    const created = await server.send('POST', CLAIMS, claim)
    const dry = await server.send('PATCH', `${CLAIMS}/a?dryRun=All`, {}, MERGE)
    expect(dry.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion)
    const read = await server.send('GET', `${CLAIMS}/a`)
    expect(read.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion)
  })
})
