/** A server with controllers on a simulated clock, for tests that let time pass and look at what has become of things. */
import { SimulatedClock } from '../../src/engine/core/environment'
import type { ApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { type RequestOptions, sendRequest, type TestResponse, testServer } from './server'

export interface Cluster {
  server: ApiServer
  clock: SimulatedClock
  /** Sends a request, and lets everything settle that does not wait for time. */
  sendRequest(question: RequestOptions): Promise<TestResponse>
  /** Lets seconds pass, and everything settle that falls due meanwhile. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
}

/** Everything that can run without time has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export async function testCluster(options: Partial<ApiServerOptions> = {}): Promise<Cluster> {
  const clock = new SimulatedClock()
  const server = testServer({ clock, controllers: ['*'], ...options })
  const cluster: Cluster = {
    server,
    clock,
    async sendRequest(question) {
      const response = await sendRequest(server, question)
      await settled()
      return response
    },
    async pass(seconds) {
      const end = clock.now() + seconds * 1000
      await settled()
      for (let due = clock.nextDue(); due !== undefined && due <= end; due = clock.nextDue()) {
        clock.advance(Math.max(0, due - clock.now()))
        await settled()
      }
      clock.advance(end - clock.now())
      await settled()
    },
    close: () => server.close(),
  }
  await cluster.sendRequest({ path: '/readyz' })
  return cluster
}

/** A deployment of one container. */
export const deployment = (name: string, replicas: number, members: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: podTemplate(name),
    ...members,
  },
})

export const podTemplate = (app: string, image = 'img:1', spec: object = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image }], ...spec },
})
