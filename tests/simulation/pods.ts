/** Pods of a cluster with simulated nodes: their logs, commands and states. */
import { expect } from 'vitest'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { type Cluster, testCluster } from '../support/cluster'

const CORE = '/api/v1/namespaces/default'
const UPGRADE: Record<string, string> = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  authorization: 'Bearer admin',
}

export interface Pods {
  cluster: Cluster
  create(plural: string, body: object): Promise<void>
  /** Creates a pod on node-1 and lets it start. */
  pod(name: string, spec: object, metadata?: object): Promise<void>
  patch(path: string, body: object): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: objects of the API, as tests read them
  get(path: string): Promise<any>
  log(pod: string, query?: string): Promise<string>
  /** @returns the output of a shell script in a container, with its exit code if it fails */
  sh(pod: string, script: string, container?: string): Promise<string>
}

export async function podsOn(options: Partial<ApiServerOptions> = {}): Promise<Pods> {
  const cluster = await testCluster({ nodes: 1, ...options })
  await cluster.pass(1)
  const send = async (method: string, path: string, body: object, type: string) => {
    const { status, text } = await cluster.sendRequest({
      method,
      path,
      body,
      headers: { 'content-type': type },
    })
    expect([status < 300, text]).toEqual([true, expect.anything()])
  }
  const pods: Pods = {
    cluster,
    create: (plural, body) => send('POST', `${CORE}/${plural}`, body, 'application/json'),
    async pod(name, spec, metadata = {}) {
      await pods.create('pods', {
        metadata: { name, ...metadata },
        spec: { nodeName: 'node-1', terminationGracePeriodSeconds: 1, ...spec },
      })
      await cluster.pass(3)
    },
    patch: (path, body) => send('PATCH', `${CORE}/${path}`, body, 'application/merge-patch+json'),
    get: async (path) => (await cluster.sendRequest({ path: `${CORE}/${path}` })).json,
    log: async (pod, query = '') =>
      (await cluster.sendRequest({ path: `${CORE}/pods/${pod}/log${query}` })).text,
    async sh(pod, script, container) {
      const words = ['sh', '-c', script].map((word) => `command=${encodeURIComponent(word)}`)
      const target = `${CORE}/pods/${pod}/exec?${words.join('&')}&stdout=true&stderr=true${
        container ? `&container=${container}` : ''
      }`
      const { tunnel, body } = await cluster.server.handle({
        method: 'GET',
        target,
        header: (name) => UPGRADE[name],
        headerNames: () => Object.keys(UPGRADE),
        body: async () => new Uint8Array(),
      })
      if (tunnel === undefined) throw new Error(String(body))
      const channels: Record<number, string> = {}
      await new Promise<void>((resolve) => {
        tunnel.open(
          {
            send(channel, content) {
              const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
              channels[channel] = (channels[channel] ?? '') + text
            },
            end: resolve,
          },
          'v4.channel.k8s.io',
        )
      })
      await cluster.pass(0)
      const { details } = JSON.parse(channels[3] ?? '{}')
      const code = details?.causes?.[0]?.message
      return `${channels[1] ?? ''}${channels[2] ?? ''}${code ? `(${code})` : ''}`
    },
  }
  return pods
}
