/** Fields of stable and beta features: dropped while their gate is off, unless stored. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { testServer as gatedBy, sendRequest } from '../support/server'
import { type TestServer, testServer } from './server'

const NAMESPACE = '/api/v1/namespaces/default'
const PODS = `${NAMESPACE}/pods`

async function serverWithout(...gates: string[]): Promise<TestServer> {
  const made = testServer({ featureGates: Object.fromEntries(gates.map((gate) => [gate, false])) })
  await made.send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } })
  return made
}

const term = {
  labelSelector: { matchLabels: { app: 'a' } },
  topologyKey: 'zone',
  matchLabelKeys: ['revision'],
}
const constraint = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels: { app: 'a' } },
}
const container = { name: 'c', image: 'i' }
const mount = { name: 'v', mountPath: '/v', readOnly: true }
const volumes = [{ name: 'v', emptyDir: {} }]

const FIELDS: readonly [gate: string, spec: JsonObject, left: JsonObject, gone: string][] = [
  [
    'SidecarContainers',
    { initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always' }] },
    { initContainers: [{ name: 's' }] },
    'spec.initContainers[0].restartPolicy',
  ],
  [
    'PodLifecycleSleepAction',
    { containers: [{ ...container, lifecycle: { preStop: { sleep: { seconds: 3 } } } }] },
    { containers: [{ name: 'c' }] },
    'spec.containers[0].lifecycle',
  ],
  [
    'RecursiveReadOnlyMounts',
    {
      volumes,
      containers: [{ ...container, volumeMounts: [{ ...mount, recursiveReadOnly: 'IfPossible' }] }],
    },
    { containers: [{ volumeMounts: [mount] }] },
    'spec.containers[0].volumeMounts[0].recursiveReadOnly',
  ],
  [
    'MatchLabelKeysInPodAffinity',
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
    {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] },
      },
    },
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys',
  ],
  [
    'MatchLabelKeysInPodTopologySpread',
    { topologySpreadConstraints: [{ ...constraint, matchLabelKeys: ['revision'] }] },
    { topologySpreadConstraints: [constraint] },
    'spec.topologySpreadConstraints[0].matchLabelKeys',
  ],
  [
    'NodeInclusionPolicyInPodTopologySpread',
    {
      topologySpreadConstraints: [
        { ...constraint, nodeTaintsPolicy: 'Honor', nodeAffinityPolicy: 'Ignore' },
      ],
    },
    { topologySpreadConstraints: [constraint] },
    'spec.topologySpreadConstraints[0].nodeTaintsPolicy',
  ],
]

const pod = (spec: JsonObject): JsonObject => ({
  metadata: { name: 'a', labels: { app: 'a', revision: '1' } },
  spec: { automountServiceAccountToken: false, containers: [container], ...spec },
})

describe.each(FIELDS)('%s', (gate, spec, left, gone) => {
  it('keeps the field by default', async () => {
    const { status, body } = await (await serverWithout()).send('POST', PODS, pod(spec))
    expect(status).toBe(201)
    expect(body).toHaveProperty(gone)
  })

  it('drops it while it is off', async () => {
    const { status, body } = await (await serverWithout(gate)).send('POST', PODS, pod(spec))
    expect(status).toBe(201)
    expect(body).toMatchObject({ spec: left })
    expect(body).not.toHaveProperty(gone)
  })
})

describe('AllBeta', () => {
  it('turns off beta features without a value of their own', async () => {
    const made = testServer({ featureGates: { AllBeta: false, SidecarContainers: true } })
    await made.send('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } })
    const { body } = await made.send(
      'POST',
      PODS,
      pod({
        initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always' }],
        topologySpreadConstraints: [{ ...constraint, matchLabelKeys: ['revision'] }],
      }),
    )
    expect(body).toMatchObject({ spec: { initContainers: [{ restartPolicy: 'Always' }] } })
    expect(JSON.stringify(body.spec)).not.toContain('matchLabelKeys')
  })
})

describe('RecursiveReadOnlyMounts', () => {
  const status = (name: string): JsonObject => ({
    metadata: { name },
    status: { runtimeHandlers: [{ name: 'r', features: { recursiveReadOnlyMounts: true } }] },
  })

  it.each([
    [[], true],
    [['RecursiveReadOnlyMounts'], false],
  ])('without %j: nodes have runtime handlers: %s', async (gates, hasHandlers) => {
    const { body } = await (await serverWithout(...gates)).send(
      'POST',
      '/api/v1/nodes',
      status('n'),
    )
    expect('runtimeHandlers' in (body.status as object)).toBe(hasHandlers)
  })
})

describe('TopologyAwareHints', () => {
  const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
  const slice = {
    metadata: { name: 'a' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.1.1'], hints: { forZones: [{ name: 'z' }] } }],
  }
  const hintsOf = ({ body }: { body: KubeObject }) =>
    (body as unknown as { endpoints: { hints?: object }[] }).endpoints[0]?.hints

  it('drops hints while it is off', async () => {
    expect(hintsOf(await (await serverWithout()).send('POST', SLICES, slice))).toEqual({
      forZones: [{ name: 'z' }],
    })
    const made = await serverWithout('TopologyAwareHints')
    expect(hintsOf(await made.send('POST', SLICES, slice))).toBeUndefined()
    expect(hintsOf(await made.send('PUT', `${SLICES}/a`, slice))).toBeUndefined()
  })
})

describe('SELinuxMountReadWriteOncePod', () => {
  const DRIVERS = '/apis/storage.k8s.io/v1/csidrivers'

  it.each([
    [[], true],
    [['SELinuxMountReadWriteOncePod'], undefined],
  ])('without %j: a driver has seLinuxMount %s', async (gates, value) => {
    const { body } = await (await serverWithout(...gates)).send('POST', DRIVERS, {
      metadata: { name: 'a.example.com' },
      spec: { seLinuxMount: true },
    })
    expect((body.spec as JsonObject).seLinuxMount).toBe(value)
  })

  it('sets its default only while it is on', async () => {
    const body = { metadata: { name: 'a.example.com' }, spec: {} }
    const specWith = async (...gates: string[]) =>
      (await (await serverWithout(...gates)).send('POST', DRIVERS, body)).body.spec as JsonObject
    expect(await specWith()).toMatchObject({ seLinuxMount: false })
    expect(await specWith('SELinuxMountReadWriteOncePod')).not.toHaveProperty('seLinuxMount')
  })
})

describe('start hooks', () => {
  it.each([
    ['APIServerIdentity', false, 'start-kube-apiserver-identity-lease-controller'],
    ['APIServerIdentity', false, 'start-kube-apiserver-identity-lease-garbage-collector'],
    ['WatchCacheInitializationPostStartHook', true, 'storage-readiness'],
  ])('follow %s=%s', async (gate, isOn, hook) => {
    const linesOf = async (on: boolean) =>
      (await sendRequest(gatedBy({ featureGates: { [gate]: on } }), { path: '/readyz?verbose' }))
        .text
    expect((await linesOf(isOn)).includes(`[+]poststarthook/${hook} ok`)).toBe(isOn)
    expect((await linesOf(!isOn)).includes(`[+]poststarthook/${hook} ok`)).toBe(!isOn)
  })
})
