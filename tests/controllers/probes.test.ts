/** Probes of containers on simulated nodes, and their effects. */
import { afterEach, describe, expect, it } from 'vitest'
import { probesOf } from '../../src/engine/controllers/simulated-nodes/prober'
import { verdictOf } from '../../src/engine/simulation/probes'
import { type Cluster, testCluster } from '../support/cluster'

const CORE = '/api/v1/namespaces/default'
let cluster: Cluster | undefined
afterEach(() => cluster?.close())

const pass = (seconds: number) => cluster?.pass(seconds)
const get = async (path: string) => (await (cluster as Cluster).sendRequest({ path })).json

interface Event {
  reason: string
  message: string
  count: number
}

/** Returns a pod of one container, a number of seconds after its creation. */
async function pod(container: object, seconds: number, spec: object = {}): Promise<void> {
  cluster = await testCluster({ nodes: 1 })
  await pass(1)
  const containers = [{ name: 'c', image: 'nginx', ...container }]
  const body = { metadata: { name: 'web' }, spec: { nodeName: 'node-1', containers, ...spec } }
  const { status } = await cluster.sendRequest({ method: 'POST', path: `${CORE}/pods`, body })
  expect(status).toBe(201)
  await pass(seconds)
}

const statusNow = async () => (await get(`${CORE}/pods/web`)).status
const containerNow = async () => (await statusNow()).containerStatuses[0]
const isReady = async () =>
  (await statusNow()).conditions.find(({ type }: { type: string }) => type === 'Ready').status
const eventsOf = async (...reasons: string[]): Promise<string[]> =>
  (await get(`${CORE}/events`)).items
    .filter(({ reason }: Event) => reasons.includes(reason))
    .map(({ message, count }: Event) => `${count}x ${message}`)

const exec = (...command: string[]) => ({ exec: { command } })
const SLEEPS = { image: 'busybox', command: ['sleep', '10000'] }

describe('a readiness probe', () => {
  it('that fails keeps its pod unready, with an event each time', async () => {
    await pod({ readinessProbe: { ...exec('/bin/false'), periodSeconds: 5 } }, 13)
    expect(await isReady()).toBe('False')
    expect(await containerNow()).toMatchObject({ ready: false, started: true, restartCount: 0 })
    expect(await eventsOf('Unhealthy')).toEqual(['3x Readiness probe failed: '])
  })

  it('that passes makes the pod ready after initialDelaySeconds and successThreshold', async () => {
    const readinessProbe = {
      ...exec('/bin/true'),
      initialDelaySeconds: 4,
      periodSeconds: 3,
      successThreshold: 3,
    }
    await pod({ readinessProbe }, 10)
    expect(await isReady()).toBe('False')
    await pass(2)
    expect(await isReady()).toBe('True')
  })

  it('of a port without listener fails with connection refused', async () => {
    await pod({ readinessProbe: { tcpSocket: { port: 8080 } } }, 15)
    const { podIP } = await statusNow()
    expect(await isReady()).toBe('False')
    expect(await eventsOf('Unhealthy')).toEqual([
      `2x Readiness probe failed: dial tcp ${podIP}:8080: connect: connection refused`,
    ])
  })

  it('of an unknown named port has no result', async () => {
    await pod(
      {
        livenessProbe: { httpGet: { port: 'web' } },
        readinessProbe: { tcpSocket: { port: 'web' } },
      },
      60,
    )
    expect(await containerNow()).toMatchObject({ ready: false, restartCount: 0 })
    const why =
      'probe errored and resulted in unknown state: strconv.Atoi: parsing "web": invalid syntax'
    expect(await eventsOf('Unhealthy')).toEqual([`6x Liveness ${why}`, `6x Readiness ${why}`])
  })

  it('causes no writes once it has passed', async () => {
    await pod({ readinessProbe: { httpGet: { path: '/', port: 80 } } }, 5)
    const { resourceVersion } = (await get(`${CORE}/pods`)).metadata
    await pass(1000)
    expect(await isReady()).toBe('True')
    expect((await get(`${CORE}/pods`)).metadata.resourceVersion).toBe(resourceVersion)
  })
})

describe('a liveness probe', () => {
  it('that fails restarts its container with back-off', async () => {
    const livenessProbe = {
      ...exec('sh', '-c', 'echo gone; false'),
      initialDelaySeconds: 2,
      periodSeconds: 5,
      failureThreshold: 2,
    }
    await pod({ ...SLEEPS, livenessProbe }, 8.5)
    expect(await containerNow()).toMatchObject({ restartCount: 0, state: { running: {} } })
    expect(await eventsOf('Unhealthy', 'Killing')).toEqual([
      '2x Liveness probe failed: gone\n',
      '1x Container c failed liveness probe, will be restarted',
    ])
    await pass(1)
    expect(await containerNow()).toMatchObject({
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { exitCode: 143, reason: 'Error' } },
    })
    await pass(10)
    expect((await containerNow()).state.waiting.reason).toBe('CrashLoopBackOff')
    await pass(10)
    expect((await containerNow()).restartCount).toBe(2)
  })

  it('that fails ends a container that never restarts', async () => {
    const livenessProbe = { tcpSocket: { port: 1 }, periodSeconds: 1, failureThreshold: 1 }
    await pod({ ...SLEEPS, livenessProbe }, 10, { restartPolicy: 'Never' })
    expect(await statusNow()).toMatchObject({ phase: 'Failed' })
    expect(await eventsOf('Killing')).toEqual(['1x Container c failed liveness probe'])
  })

  it('waits for the container to stop within the grace period', async () => {
    const livenessProbe = {
      ...exec('false'),
      periodSeconds: 1,
      failureThreshold: 1,
      terminationGracePeriodSeconds: 7,
    }
    await pod({ ...SLEEPS, livenessProbe, lifecycle: { preStop: { sleep: { seconds: 20 } } } }, 7)
    expect((await containerNow()).restartCount).toBe(0)
    await pass(3)
    expect((await containerNow()).restartCount).toBe(1)
  })

  it('fails when its program becomes unhealthy', async () => {
    const livenessProbe = {
      httpGet: { path: '/healthz', port: 8080 },
      initialDelaySeconds: 3,
      periodSeconds: 3,
    }
    const image = 'registry.k8s.io/e2e-test-images/agnhost:2.40'
    await pod({ image, args: ['liveness'], livenessProbe }, 12)
    expect(await eventsOf('Unhealthy')).toEqual([])
    await pass(11)
    expect((await containerNow()).restartCount).toBe(1)
    expect(await eventsOf('Unhealthy', 'Killing')).toEqual([
      '3x Liveness probe failed: HTTP probe failed with statuscode: 500',
      '1x Container c failed liveness probe, will be restarted',
    ])
  })
})

describe('a startup probe', () => {
  it('delays the other probes until it passes', async () => {
    const startupProbe = { ...exec('true'), initialDelaySeconds: 20 }
    const livenessProbe = { ...exec('false'), periodSeconds: 1, failureThreshold: 1 }
    await pod({ startupProbe, livenessProbe }, 15)
    expect(await containerNow()).toMatchObject({ started: false, ready: false, restartCount: 0 })
    await pass(8)
    expect((await containerNow()).restartCount).toBe(1)
  })

  it('that fails restarts its container', async () => {
    const startupProbe = { ...exec('false'), periodSeconds: 2, failureThreshold: 3 }
    await pod({ startupProbe, livenessProbe: exec('false') }, 8)
    expect(await containerNow()).toMatchObject({ restartCount: 1, started: false, ready: false })
    expect(await eventsOf('Unhealthy', 'Killing')).toEqual([
      '4x Startup probe failed: ',
      '1x Container c failed startup probe, will be restarted',
    ])
  })

  it('of a sidecar delays the following containers', async () => {
    const startupProbe = { ...exec('true'), initialDelaySeconds: 20 }
    const sidecar = { name: 's', image: 'nginx', restartPolicy: 'Always', startupProbe }
    await pod({}, 15, { initContainers: [sidecar] })
    expect((await containerNow()).state.waiting.reason).toBe('PodInitializing')
    await pass(10)
    expect((await containerNow()).state.running).toBeDefined()
  })
})

it('of a program that changes often costs no more than its last changes', () => {
  let requested = 0
  const changes = Array.from({ length: 5000 }, (_, index) => index * 1000)
  const container = {
    name: 'c',
    image: 'i',
    readinessProbe: { exec: { command: ['x'] }, periodSeconds: 1 },
  }
  const { ready, next } = probesOf(container, true, {
    now: 4_999_500,
    since: 4_998_500,
    began: 0,
    fieldPath: 'spec.containers{c}',
    changes,
    verdictOf(_, at) {
      requested++
      return at < 4_990_000
        ? { result: 'failure', output: 'no' }
        : { result: 'success', output: '' }
    },
  })
  expect([ready, next]).toEqual([true, undefined])
  expect(requested).toBeLessThan(200)
})

it.each([
  [{ port: 2333 }, 'timeout: failed to connect service "10.244.1.2:2333" within 1s'],
  [{ port: 5000 }, 'service unhealthy (responded with "NOT_SERVING")'],
  [{ port: 5000, service: 'other' }, 'error: health rpc probe failed: rpc error: code = NotFound'],
])('a gRPC liveness probe restarts a container: %o', async (grpc, message) => {
  const image = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
  const args = ['grpc-health-checking', '--delay-unhealthy-sec=10']
  const livenessProbe = { grpc, initialDelaySeconds: 5, failureThreshold: 1, periodSeconds: 5 }
  await pod({ image, args, livenessProbe }, 20)
  expect((await containerNow()).restartCount).toBe(1)
  expect((await eventsOf('Unhealthy'))[0]).toContain(`Liveness probe failed: ${message}`)
})

describe('the result of a probe', () => {
  const NOTHING = { output: '', error: '', code: 0 }
  const of = (probe: object, container: object, stated: object = NOTHING) =>
    verdictOf(probe as Parameters<typeof verdictOf>[0], {
      container,
      containers: [container],
      podIP: '10.0.0.1',
      seconds: 1,
      run: () => ({ ...NOTHING, ...stated }),
    })
  const page = (port: number | string, path = '/') => ({ httpGet: { port, path } })
  const rejected = (path = '/', port = 81) =>
    `Get "http://10.0.0.1:${port}${path}": dial tcp 10.0.0.1:${port}: connect: connection refused`

  it.each([
    [page(80), { image: 'nginx:1.27' }],
    [page(80), { image: 'docker.io/library/httpd' }],
    [page('http'), { image: 'nginx', ports: [{ name: 'http', containerPort: 80 }] }],
    [
      page(8080, '/healthz'),
      { image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', args: ['netexec'] },
    ],
    [
      page(9090, '/any'),
      {
        image: 'registry.k8s.io/e2e-test-images/agnhost:2.53',
        args: ['netexec', '--http-port=9090'],
      },
    ],
    [{ tcpSocket: { port: 6379 } }, { image: 'redis:7' }],
    // The results of these cannot be determined.
    [page(8080, '/ready'), { image: 'shop/api:1' }],
    [page(8080), { image: 'example.com/nginx' }],
    [page(8080), { image: 'nginx', volumeMounts: [{ mountPath: '/etc/nginx/conf.d' }] }],
    [page(8080), { image: 'nginx', command: ['/start.sh'] }],
    [{ grpc: { port: 2379 } }, { image: 'etcd' }],
    [
      { grpc: { port: 5000 } },
      { image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', args: ['grpc-health-checking'] },
    ],
    [{ httpGet: { port: 1, host: 'example.com' } }, { image: 'nginx' }],
  ])('is success: %j of %j', (probe, container) => {
    expect(of(probe, container)).toEqual({ result: 'success', output: '' })
  })

  it.each([
    [page(81), { image: 'nginx' }, rejected()],
    [page(81, 'ready'), { image: 'nginx' }, rejected('/ready')],
    [page(80, '/nowhere?x=1'), { image: 'nginx' }, 'HTTP probe failed with statuscode: 404'],
    [page(81), SLEEPS, rejected()],
    [page(81), { image: 'registry.k8s.io/pause:3.10' }, rejected()],
    [page(81), { image: 'registry.k8s.io/e2e-test-images/agnhost:2.53' }, rejected()],
    [
      { httpGet: { port: 80, path: '/', scheme: 'HTTPS' } },
      { image: 'nginx' },
      'Get "https://10.0.0.1:80/": http: server gave HTTP response to HTTPS client',
    ],
  ])('is failure: %j of %j', (probe, container, output) => {
    expect(of(probe, container)).toEqual({ result: 'failure', output })
  })

  it('is that of its command, within the timeout', () => {
    expect(of(exec('check', 'db'), {}, { output: 'a', error: 'b', code: 2 })).toEqual({
      result: 'failure',
      output: 'ab',
    })
    expect(of(exec('check', 'db'), {}, { code: 127, unknown: true }).result).toBe('success')
    expect(of(exec('sh', '-c', 'sleep 2'), {}, { seconds: 2 })).toEqual({
      result: 'failure',
      output: 'command "sh -c sleep 2" timed out',
    })
    expect(of({ ...exec('sleep', '2'), timeoutSeconds: 2 }, {}, { seconds: 2 }).result).toBe(
      'success',
    )
  })
})
