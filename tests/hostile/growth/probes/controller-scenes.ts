/** Clusters with controllers, and the requests whose work is measured. */
import type { ApiServerOptions } from '../../../../src/engine/server/server-options'
import { type Call, type Probe, target, times } from './probe'

export const NAMESPACE = '/namespaces/default'
export const PODS = `/api/v1${NAMESPACE}/pods`
export const NODES = '/api/v1/nodes'
export const labels = { app: 'a' }

export const meta = (name: string, more: object = {}) => ({ metadata: { name, labels, ...more } })
export const template = (spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
export const pod = (name: string, spec: object = {}, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  ...meta(name, more),
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
export const node = (name: string, more: object = {}, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, zone: name, ...more } },
  spec,
  status: {
    capacity: { cpu: '4', memory: '8Gi', pods: '1000' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '1000' },
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        lastHeartbeatTime: '2026-01-01T00:00:00Z',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
})
export const create = (path: string, body: object): Call => ({ method: 'POST', path, body })
export const named = (size: number, key = 'k') =>
  Object.fromEntries(times(size, (i) => [`${key}${i}`, 'v']))

export interface Scene {
  /** Created before, with everything that follows from it; not counted. */
  before?(size: number): Call[]
  /** Counted, with everything that follows from it. */
  calls(size: number): Call[]
  seconds?: number
  options?: Partial<ApiServerOptions>
}

/** A fraction of a size is a number of objects, each of which many parts of the server work on. */
const SIZES = [32, 128, 512, 2048]

export function scene(name: string, { before, calls, seconds = 10, options }: Scene): Probe {
  return {
    name,
    sizes: SIZES,
    async prepare(size, fail) {
      const { send, pass } = target(fail, { controllers: ['*'], ...options })
      await send({ path: '/readyz' })
      await pass(1)
      for (const call of before?.(size) ?? []) await send(call)
      await pass(10)
      const counted = calls(size)
      return async () => {
        let text = ''
        for (const call of counted) text = await send(call)
        await pass(seconds)
        return text
      }
    },
  }
}

export const workload = (kind: string, spec: object) => ({
  apiVersion: 'apps/v1',
  kind,
  ...meta('w'),
  spec: { selector: { matchLabels: labels }, template: template(), ...spec },
})
export const job = (spec: object) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j' },
  spec: { template: template({ restartPolicy: 'Never' }), ...spec },
})
export const JOBS = `/apis/batch/v1${NAMESPACE}/jobs`
export const service = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  ...meta('s'),
  spec: { selector: labels, ports: [{ port: 80 }], ...spec },
})
export const SERVICES = `/api/v1${NAMESPACE}/services`
export const running = (size: number): Call[] =>
  times(size / 4, (i) => create(PODS, pod(`p${i}`, { nodeName: 'n' })))
