/** Simulated container commands: logs, exit codes, environment and probes. */
import { afterEach, describe, expect, it } from 'vitest'
import { environmentOf, resourceValue } from '../../src/engine/simulation/environment'
import type { Seen, SeenPod } from '../../src/engine/simulation/pod'
import { type Cluster, testCluster } from '../support/cluster'

const CORE = '/api/v1/namespaces/default'
let cluster: Cluster | undefined
afterEach(() => cluster?.close())

const pass = (seconds: number) => cluster?.pass(seconds)
const get = async (path: string) => (cluster as Cluster).sendRequest({ path })
const make = async (path: string, body: object) => {
  const { status, text } = await (cluster as Cluster).sendRequest({ method: 'POST', path, body })
  expect([status, text]).toEqual([201, expect.anything()])
}
const statusNow = async (name = 'web') => (await get(`${CORE}/pods/${name}`)).json.status
const log = async (query = '') => (await get(`${CORE}/pods/web/log${query}`)).text

async function begin(): Promise<void> {
  cluster = await testCluster({ nodes: 1 })
  await pass(1)
}

const podOf = (container: object, spec: object = {}) => ({
  metadata: { name: 'web', labels: { tier: 'front' } },
  spec: {
    nodeName: 'node-1',
    containers: [{ name: 'c', image: 'busybox', ...container }],
    ...spec,
  },
})

async function pod(container: object, seconds: number, spec: object = {}): Promise<void> {
  await begin()
  await make(`${CORE}/pods`, podOf(container, spec))
  await pass(seconds)
}

const script = (text: string) => ({ command: ['sh', '-c', text] })

describe('the log of a script', () => {
  it('appears line by line at the simulated times', async () => {
    await pod(script('echo one; sleep 10; echo two'), 5, { restartPolicy: 'Never' })
    expect(await log()).toBe('one\n')
    await pass(10)
    expect(await log()).toBe('one\ntwo\n')
    expect(await statusNow()).toMatchObject({ phase: 'Succeeded' })
  })

  it('of a loop continues without end, with a timestamp on each line', async () => {
    await pod(script('while true; do echo "$(hostname) $(date)"; sleep 10; done'), 25)
    const [first, ...rest] = (await log()).trimEnd().split('\n')
    expect(first).toMatch(/^web Thu Jan {2}1 00:00:\d\d UTC 2026$/)
    expect(rest).toHaveLength(2)
    await pass(100_000)
    expect((await log('?tailLines=1')).length).toBeGreaterThan(10)
  })
})

it('a liveness probe sees the files that its container creates and removes', async () => {
  const livenessProbe = {
    exec: { command: ['cat', '/tmp/healthy'] },
    initialDelaySeconds: 5,
    periodSeconds: 5,
  }
  await pod(
    { ...script('touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600'), livenessProbe },
    34,
  )
  expect((await statusNow()).containerStatuses[0]).toMatchObject({ ready: true, restartCount: 0 })
  await pass(10)
  expect((await statusNow()).containerStatuses[0].restartCount).toBe(1)
  const events = (await get(`${CORE}/events`)).json.items.map(
    ({ message }: { message: string }) => message,
  )
  expect(events).toContain(
    "Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory\n",
  )
  expect(events).toContain('Container c failed liveness probe, will be restarted')
})

it.each([
  [{ image: 'nginx' }, 'False'],
  // The program of an unknown image may have written the file.
  [{ image: 'shop/api' }, 'True'],
])('a readiness probe for a missing file: %j', async (container, ready) => {
  await pod({ ...container, readinessProbe: { exec: { command: ['cat', '/tmp/ready'] } } }, 5)
  const { conditions } = await statusNow()
  expect(conditions.find(({ type }: { type: string }) => type === 'Ready').status).toBe(ready)
})

it('a restarted container finds the volume files of its previous run', async () => {
  const text = 'if [[ -r /data/foo ]] ; then exit 0 ; else touch /data/foo ; exit 1 ; fi'
  const container = { ...script(text), volumeMounts: [{ name: 'data', mountPath: '/data' }] }
  await pod(container, 20, {
    restartPolicy: 'OnFailure',
    volumes: [{ name: 'data', emptyDir: {} }],
  })
  expect(await statusNow()).toMatchObject({
    phase: 'Succeeded',
    containerStatuses: [{ restartCount: 1 }],
  })
})

it('a Job fails for the indexes whose script fails', async () => {
  cluster = await testCluster({ nodes: 1, scheduler: true })
  const container = {
    name: 'c',
    image: 'busybox',
    ...script('if [ "$JOB_COMPLETION_INDEX" = 1 ]; then exit 1; else exit 0; fi'),
  }
  const spec = { containers: [container], restartPolicy: 'Never' }
  await make('/apis/batch/v1/namespaces/default/jobs', {
    metadata: { name: 'work' },
    spec: {
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 0,
      template: { spec },
    },
  })
  await pass(60)
  const { status } = (await get('/apis/batch/v1/namespaces/default/jobs/work')).json
  expect(status).toMatchObject({ completedIndexes: '0,2', failedIndexes: '1' })
})

describe('the environment', () => {
  const FIELDS = [
    { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'TIER', valueFrom: { fieldRef: { fieldPath: "metadata.labels['tier']" } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'key' } } },
    {
      name: 'NONE',
      valueFrom: { configMapKeyRef: { name: 'settings', key: 'none', optional: true } },
    },
    { name: 'HIDDEN', valueFrom: { secretKeyRef: { name: 'hidden', key: 'word' } } },
    { name: 'JOINED', value: '$(NAME)-$(KEY)-$$(NAME)-$(UNKNOWN)' },
  ]

  it.each([
    ['env', { command: ['env'] }],
    ['sh -c env', { command: ['sh', '-c', 'env'] }],
    ['arguments of an image without a program', { args: ['printenv'] }],
  ])('is printed by %s with the variables that a kubelet sets', async (_, container) => {
    await begin()
    await make(`${CORE}/configmaps`, {
      metadata: { name: 'settings' },
      data: { key: 'value', '1st': 'x' },
    })
    await make(`${CORE}/secrets`, { metadata: { name: 'hidden' }, stringData: { word: 'sesame' } })
    await make(`${CORE}/services`, {
      metadata: { name: 'my-db' },
      spec: { clusterIP: '10.96.0.77', ports: [{ name: 'sql', port: 5432 }] },
    })
    const envFrom = [
      { prefix: 'OF_', configMapRef: { name: 'settings' } },
      { configMapRef: { name: 'settings' } },
    ]
    const resources = { limits: { cpu: '1500m' } }
    await make(
      `${CORE}/pods`,
      podOf({ ...container, env: FIELDS, envFrom, resources }, { restartPolicy: 'Never' }),
    )
    await pass(10)
    const lines = (await log()).trimEnd().split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'HOSTNAME=web',
        'OF_key=value',
        'OF_1st=x',
        'NAME=web',
        'TIER=front',
        'CPU=2',
        'KEY=value',
        'HIDDEN=sesame',
        'JOINED=web-value-$(NAME)-$(UNKNOWN)',
        'MY_DB_SERVICE_HOST=10.96.0.77',
        'MY_DB_SERVICE_PORT=5432',
        'MY_DB_SERVICE_PORT_SQL=5432',
        'MY_DB_PORT=tcp://10.96.0.77:5432',
        'MY_DB_PORT_5432_TCP_ADDR=10.96.0.77',
        expect.stringMatching(/^KUBERNETES_SERVICE_HOST=10\.96\./),
      ]),
    )
    expect(lines.some((line) => /^(?:NONE=|1st)/.test(line))).toBe(false)
  })

  it('is expanded in command and args', async () => {
    const env = [{ name: 'WHO', value: 'world' }]
    await pod(
      { command: ['sh', '-c', 'echo "$(WHO) $0 $1"'], args: ['$(WHO)', '$$(WHO)'], env },
      5,
      { restartPolicy: 'Never' },
    )
    expect(await log()).toBe('world world $(WHO)\n')
  })

  it('is available in files of downwardAPI volumes', async () => {
    const volumes = [
      {
        name: 'info',
        downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
      },
    ]
    const volumeMounts = [{ name: 'info', mountPath: '/etc/info' }]
    await pod({ command: ['cat', '/etc/info/labels'], volumeMounts }, 5, {
      restartPolicy: 'Never',
      volumes,
    })
    expect(await log()).toBe('tier="front"\n')
  })

  const PLACE: Seen = {
    configMap: () => undefined,
    secret: () => undefined,
    services: [
      {
        metadata: { name: 'kubernetes', namespace: 'default' },
        spec: { clusterIP: '10.96.0.1', ports: [{ port: 443, name: 'https' }] },
      },
      {
        metadata: { name: 'web', namespace: 'shop' },
        spec: { clusterIP: 'fd00::1', ports: [{ port: 53, protocol: 'UDP' }] },
      },
      {
        metadata: { name: 'none', namespace: 'shop' },
        spec: { clusterIP: 'None', ports: [{ port: 1 }] },
      },
    ],
    podIP: '10.0.0.1',
    hostIP: '10.0.0.2',
    allocatable: { cpu: '4', memory: '8Gi' },
  }
  const POD: SeenPod = { metadata: { name: 'a', namespace: 'shop' }, spec: { containers: [] } }

  it('omits services other than kubernetes when enableServiceLinks is false', () => {
    const all = environmentOf(POD, {}, PLACE)
    expect(all).toMatchObject({
      WEB_PORT_53_UDP: 'udp://[fd00::1]:53',
      WEB_PORT_53_UDP_PROTO: 'udp',
      KUBERNETES_SERVICE_PORT_HTTPS: '443',
    })
    expect(all).not.toHaveProperty('NONE_SERVICE_HOST')
    const few = environmentOf({ ...POD, spec: { enableServiceLinks: false } }, {}, PLACE)
    expect(few).toHaveProperty('KUBERNETES_SERVICE_HOST')
    expect(few).not.toHaveProperty('WEB_SERVICE_HOST')
  })

  it.each([
    ['limits.cpu', undefined, '4'],
    ['limits.cpu', '1m', '4000'],
    ['requests.cpu', undefined, '1'],
    ['requests.cpu', '1m', '250'],
    ['requests.memory', undefined, '67108864'],
    ['requests.memory', '1Mi', '64'],
    ['limits.memory', '1Gi', '8'],
    ['requests.ephemeral-storage', undefined, '0'],
  ])('prints %s by %s as %s', (resource, divisor, expected) => {
    const container = { resources: { requests: { cpu: '250m', memory: '64Mi' } } }
    expect(resourceValue(POD, container, { resource, ...(divisor && { divisor }) }, PLACE)).toBe(
      expected,
    )
  })
})

describe('a script that gets SIGTERM', () => {
  const TRAPS = "trap 'echo bye; sleep 4; exit 5' TERM; while true; do sleep 1; done"
  const held = { finalizers: ['example.com/held'] }
  const heldPod = async (text: string, spec: object = {}) => {
    await begin()
    const made = podOf(script(text), { restartPolicy: 'Never', ...spec })
    await make(`${CORE}/pods`, { ...made, metadata: { ...made.metadata, ...held } })
    await pass(100_000)
    await (cluster as Cluster).sendRequest({ method: 'DELETE', path: `${CORE}/pods/web` })
  }

  it('runs its trap', async () => {
    await heldPod(TRAPS)
    await pass(3)
    expect((await statusNow()).containerStatuses[0].state.running).toBeDefined()
    await pass(3)
    expect((await statusNow()).containerStatuses[0].state.terminated.exitCode).toBe(5)
  })

  it('is killed after the termination grace period', async () => {
    await heldPod(TRAPS, { terminationGracePeriodSeconds: 2 })
    await pass(3)
    expect((await statusNow()).containerStatuses[0].state.terminated.exitCode).toBe(137)
  })
})
