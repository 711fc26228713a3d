import { describe, expect, test } from 'vitest'
import { withoutGatedStatus } from '../../src/engine/kinds/core/pod-gates'
import { podStatusErrors } from '../../src/engine/kinds/core/pod-status'
import type { Pod, PodSpec, PodStatus } from '../../src/engine/kinds/core/pod-types'
import { changesOf } from '../../src/engine/release-tables/changes'

const pod = (status: PodStatus, spec: PodSpec = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec,
  status,
})
const errors = (status: PodStatus, before: PodStatus = {}, spec: PodSpec = {}, release = '1.31') =>
  podStatusErrors(pod(status, spec), pod(before, spec), changesOf(release), {}).map(
    ({ field, detail }) => `${field}: ${detail}`,
  )

const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const ONE_OF_EACH = 'may specify no more than one IP for each IP family'

describe('addresses in the status of a pod', () => {
  test('have at most one of each family', () => {
    expect(errors({ podIPs: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }] })).toEqual([])
    expect(errors({ podIPs: [{ ip: '10.1.0.1' }, { ip: '10.1.0.1' }] })).toEqual([
      `status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"10.1.0.1"}, core.PodIP{IP:"10.1.0.1"}}: ${ONE_OF_EACH}`,
      'status.podIPs[1]: Duplicate value: core.PodIP{IP:"10.1.0.1"}',
    ])
  })
  test('must be valid', () => {
    expect(errors({ podIPs: [{ ip: 'x' }] })).toEqual([
      `status.podIPs[0]: Invalid value: "x": ${NO_ADDRESS}`,
    ])
    expect(errors({ hostIP: 'x', hostIPs: [{ ip: 'x' }, { ip: '10.0.0.1' }] })).toEqual([
      `status.hostIPs[0]: Invalid value: "x": ${NO_ADDRESS}`,
      'status.hostIPs: Internal error: failed to check for dual stack with error:invalid IP[0]: x',
      `status.hostIPs: Invalid value: []core.HostIP{core.HostIP{IP:"x"}, core.HostIP{IP:"10.0.0.1"}}: ${ONE_OF_EACH}`,
    ])
  })
  test('start with the address of the host', () => {
    expect(errors({ hostIPs: [{ ip: '10.0.0.1' }] })).toEqual([
      'status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`',
    ])
  })
})

describe('a terminated container', () => {
  const ended = (name: string) => [{ name, state: { terminated: { exitCode: 0 } } }]
  const again = (name: string) => [{ name, state: {} }]
  const REJECTED = 'Forbidden: may not be transitioned to non-terminated state'

  test('can restart by the restart policy, but an ephemeral one never can', () => {
    const now = { containerStatuses: again('a'), ephemeralContainerStatuses: again('e') }
    const before = { containerStatuses: ended('a'), ephemeralContainerStatuses: ended('e') }
    expect(errors(now, before, { restartPolicy: 'Always' })).toEqual([
      `status.ephemeralContainerStatuses[0].state: ${REJECTED}`,
    ])
  })
  test('can restart if it is a sidecar', () => {
    const spec = {
      restartPolicy: 'Never',
      initContainers: [{ name: 'side', restartPolicy: 'Always' }, { name: 'first' }],
    }
    const both = (of: typeof ended) => ({ initContainerStatuses: [...of('side'), ...of('first')] })
    expect(errors(both(again as typeof ended), both(ended), spec)).toEqual([
      `status.initContainerStatuses[1].state: ${REJECTED}`,
    ])
  })
})

describe('allocated resources', () => {
  const of = (name: string, health: string) => [
    { name: 'app', allocatedResourcesStatus: [{ name, resources: [{ resourceID: 'r', health }] }] },
  ]
  const spec: PodSpec = {
    containers: [{ name: 'app', resources: { limits: { 'example.com/dev': '1' } } }],
  }

  test('accept only requested resources with a known health', () => {
    expect(errors({ containerStatuses: of('example.com/dev', 'Healthy') }, {}, spec)).toEqual([])
    expect(errors({ containerStatuses: of('cpu', 'Tired') }, {}, spec)).toEqual([
      "status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: cpu: must match one of the container's resource requirements",
      'status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "Tired": supported values: "Healthy", "Unhealthy", "Unknown"',
    ])
  })
  test('accept each resource once', () => {
    const [first] = of('example.com/dev', 'Unknown')
    const [entry] = first?.allocatedResourcesStatus ?? []
    const twice = {
      ...first,
      allocatedResourcesStatus: [
        { ...entry, resources: [...(entry?.resources ?? []), ...(entry?.resources ?? [])] },
      ],
    }
    expect(errors({ containerStatuses: [twice] }, {}, spec)).toEqual([
      'status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "r"',
    ])
  })
  test('skip unknown containers, and are forbidden in ephemeral containers', () => {
    expect(
      errors({ containerStatuses: of('cpu', 'Healthy') }, {}, { containers: [{ name: 'other' }] }),
    ).toEqual([])
    expect(errors({ ephemeralContainerStatuses: of('cpu', 'Healthy') }, {}, spec)).toEqual([
      'status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in container status',
    ])
  })
})

describe('status fields of disabled features', () => {
  const reported = {
    name: 'app',
    ready: true,
    resources: { limits: { cpu: '1' } },
    allocatedResources: { cpu: '1' },
    user: { linux: { uid: 5 } },
  }

  test('are dropped on the next update of the pod itself', () => {
    const left = { name: 'app', ready: true }
    expect(
      withoutGatedStatus(
        {
          phase: 'Running',
          resize: 'Deferred',
          containerStatuses: [reported],
          initContainerStatuses: [reported],
        },
        {},
      ),
    ).toEqual({
      phase: 'Running',
      containerStatuses: [left],
      initContainerStatuses: [left],
    })
  })
  test('stay behind their gates', () => {
    const status: PodStatus = { resize: 'Deferred', containerStatuses: [reported] }
    const { resources, name, ready } = reported
    expect(withoutGatedStatus(status, { InPlacePodVerticalScaling: true })).toEqual({
      resize: 'Deferred',
      containerStatuses: [{ name, ready, resources }],
    })
  })
  test('returns a status without such fields as it is', () => {
    const status: PodStatus = { phase: 'Running', containerStatuses: [{ name: 'app' }] }
    expect(withoutGatedStatus(status, {})).toBe(status)
  })
})
