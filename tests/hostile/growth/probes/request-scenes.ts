/** Objects in a store, and the requests whose work is measured. */
import type { ApiServerOptions } from '../../../../src/engine/server/server-options'
import { type Call, type Probe, target, times } from './probe'
export const NAMESPACE = '/namespaces/default'
export const CONFIG_MAPS = `/api/v1${NAMESPACE}/configmaps`
export const PODS = `/api/v1${NAMESPACE}/pods`
export const DEPLOYMENTS = `/apis/apps/v1${NAMESPACE}/deployments`
const MERGE = 'application/merge-patch+json'
export const STRATEGIC = 'application/strategic-merge-patch+json'
export const APPLY = 'application/apply-patch+yaml'
export const TABLE: Call['headers'] = [['accept', 'application/json;as=Table;g=meta.k8s.io;v=v1']]

interface Scene {
  /** Not counted. */
  before?(size: number): Call[]
  /** Counted. */
  calls(size: number): Call[]
  /** Seconds that pass during the last call; it gets its response by then. */
  lasts?: number
  options?: Partial<ApiServerOptions>
  sizes?: readonly number[]
}

export const scene = (
  name: string,
  { before, calls, lasts, options = {}, sizes }: Scene,
): Probe => ({
  name,
  ...(sizes === undefined ? {} : { sizes }),
  async prepare(size, fail) {
    const { send, pass } = target(fail, options)
    for (const call of before?.(size) ?? []) await send(call)
    await pass(5)
    const counted = calls(size)
    return async () => {
      for (const call of counted.slice(0, -1)) await send(call)
      const response = send(counted.at(-1) as Call)
      if (lasts !== undefined) await pass(lasts)
      return response
    }
  },
})

export const create = (path: string, body: object): Call => ({ method: 'POST', path, body })
export const patch = (path: string, body: object, type = MERGE): Call => ({
  method: 'PATCH',
  path,
  type,
  body,
})
export const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'a' } },
  ...more,
})
const labels = { app: 'a' }
export const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}
export const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
export const objects = (size: number): Call[] =>
  times(size / 4, (i) => create(CONFIG_MAPS, configMap(`c${i}`)))
