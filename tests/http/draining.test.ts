/** A server that is about to be replaced ends its streams, so that nothing holds its worker. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'
import { sendRequest } from '../support/server'

const CORE = '/api/v1/namespaces/default'
let cluster: Cluster
beforeEach(async () => {
  cluster = await testCluster({ nodes: 1 })
})
afterEach(() => cluster.close())

const ADMIN = { authorization: 'Bearer admin' }
const open = (path: string) =>
  cluster.server.fetch(new Request(`https://kubernetes.default.svc${path}`, { headers: ADMIN }))
const watchPods = () => open(`${CORE}/pods?watch=1&resourceVersion=0`)

describe('a server that drains', () => {
  it('ends open watches', async () => {
    const watch = await watchPods()
    cluster.server.drain()
    expect(await watch.text()).toBe('')
  })

  it('ends a watch that is opening, however far it is', async () => {
    const statuses = new Set<number>()
    for (let steps = 0; steps < 40; steps++) {
      const opening = watchPods()
      for (let step = 0; step < steps; step++) await Promise.resolve()
      cluster.server.drain()
      const watch = await opening
      statuses.add(watch.status)
      // A watch that stays open would never end the body.
      await watch.text()
      cluster.server.resume()
    }
    expect([...statuses].sort()).toEqual([200, 503])
  })

  it('ends a followed log', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web',
        annotations: { 'simulation.kubetab/behavior': 'log: [begins]' },
      },
      spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'img:1' }] },
    }
    await sendRequest(cluster.server, { method: 'POST', path: `${CORE}/pods`, body: pod })
    await cluster.pass(5)
    const log = await open(`${CORE}/pods/web/log?follow=true`)
    cluster.server.drain()
    expect(await log.text()).toBe('begins\n')
  })

  it('rejects new watches with a retry, and accepts them after it resumes', async () => {
    cluster.server.drain()
    const rejected = await watchPods()
    expect(rejected.status).toBe(503)
    expect(rejected.headers.get('retry-after')).toBe('1')
    cluster.server.resume()
    const watch = await watchPods()
    expect(watch.status).toBe(200)
    await watch.body?.cancel()
  })
})
