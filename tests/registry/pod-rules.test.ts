import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { settleAppArmor } from '../../src/engine/kinds/core/pod-apparmor'
import { defaultPodOnly, defaultPodSpec } from '../../src/engine/kinds/core/pod-defaults'
import type { Container, Pod, PodSpec } from '../../src/engine/kinds/core/pod-types'
import { podChangeErrors } from '../../src/engine/kinds/core/pod-update'
import {
  podErrors as errorsOfPod,
  podTemplateErrors,
} from '../../src/engine/kinds/core/pod-validation/template'
import { podWarnings as warningsOfPod } from '../../src/engine/kinds/core/pod-warnings'
import { portNameProblems } from '../../src/engine/validation/numbers'
import { unreservedPathErrors } from '../../src/engine/validation/paths'
import { jsonObject } from '../support/json-objects'
import { changedTables } from '../support/release'
import { podOptions } from './pod-options'

const TABLES = changedTables('1.31')

const OPTIONS = podOptions('1.31')
const podErrors = (whole: Pod) => errorsOfPod(whole, OPTIONS)
const podWarnings = (whole: Pod) => warningsOfPod(whole, OPTIONS.changes)

/** A pod after defaulting. */
function pod(spec: PodSpec, container: Container = {}): Pod {
  const whole = {
    containers: [{ name: 'app', image: 'nginx:1', ...container }],
    ...spec,
  } as PodSpec
  defaultPodSpec(jsonObject(whole))
  defaultPodOnly(jsonObject(whole))
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', namespace: 'n' }, spec: whole }
}
const texts = (errors: { field: string; detail: string }[]) =>
  errors.map(({ field, detail }) => `${field}: ${detail}`)

describe('a pod', () => {
  test('of one container is valid', () => expect(podErrors(pod({}))).toEqual([]))
  test('reports each invalid field, volumes first', () => {
    const wrong = pod(
      { volumes: [{ name: 'V', emptyDir: {} }], restartPolicy: 'Perhaps' },
      { image: ' x' },
    )
    expect(texts(podErrors(wrong)).map((text) => text.split(': ')[0])).toEqual([
      'spec.volumes[0].name',
      'spec.restartPolicy',
      'spec.containers[0].image',
    ])
  })
  test('rejects a mount of a missing or invalid volume', () => {
    const mounts = { volumeMounts: [{ name: 'v', mountPath: '/v' }] }
    expect(texts(podErrors(pod({}, mounts)))).toEqual([
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ])
    const invalid = pod({ volumes: [{ name: 'v', hostPath: {} }] }, mounts)
    expect(texts(podErrors(invalid))).toContain(
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    )
  })
  test('with hostNetwork has its container ports on the host; a template can omit them', () => {
    const ports = { ports: [{ containerPort: 80, hostPort: 81, protocol: 'TCP' }] }
    expect(texts(podErrors(pod({ hostNetwork: true }, ports)))[0]).toContain(
      'must match `containerPort`',
    )
    const open = {
      metadata: {},
      spec: pod({}, { ports: [{ containerPort: 80, protocol: 'TCP' }] }).spec as PodSpec,
    }
    expect(
      podTemplateErrors(
        { ...open, spec: { ...open.spec, hostNetwork: true } },
        'template',
        OPTIONS,
      ),
    ).toEqual([])
  })
  test('requires a name for a stated operating system', () => {
    expect(texts(podErrors(pod({ os: { name: '' } })))).toEqual([
      'spec.os.name: Required value: cannot be empty',
    ])
  })
  test('rejects requests above its limits', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (request, limit) => {
        const resources = { requests: { cpu: `${request}m` }, limits: { cpu: `${limit}m` } }
        expect(podErrors(pod({}, { resources })).length > 0).toBe(request > limit)
      }),
    )
  })
})

describe('a container', () => {
  const fields = (whole: Pod) => texts(podErrors(whole))

  test('accepts environment variables from valid object names', () => {
    const envFrom = [{ configMapRef: { name: 'A b' } }, { secretRef: { name: 'trailing-' } }]
    expect(fields(pod({}, { envFrom })).map((text) => text.split(': ')[0])).toEqual([
      'spec.containers[0].envFrom[0].configMapRef.name',
    ])
  })
  test('reports only a missing name of an unnamed init container', () => {
    const initContainers = [{ image: 'a' }, { image: 'b' }]
    expect(fields(pod({ initContainers }))).toEqual(
      [0, 1].map((i) => `spec.initContainers[${i}].name: Required value`),
    )
  })
  test('accepts another host port in an init container', () => {
    const initContainers = [
      { name: 'i', image: 'a', ports: [{ containerPort: 80, hostPort: 81, protocol: 'TCP' }] },
    ]
    expect(fields(pod({ hostNetwork: true, initContainers }))).toEqual([])
  })
  test('requires whole huge pages, and CPU or memory next to them, also in overhead', () => {
    const why = 'HugePages require cpu or memory'
    const amounts = { 'hugepages-2Mi': '3Mi' }
    expect(fields(pod({ overhead: amounts }))).toEqual([
      'spec.overhead.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      `spec.overhead: Forbidden: ${why}`,
    ])
    // The comparison with the limit comes before the check for whole pages.
    const resources = {
      limits: { cpu: '1', 'hugepages-2Mi': '4Mi' },
      requests: { cpu: '1', ...amounts },
    }
    expect(fields(pod({}, { resources }))).toEqual([
      'spec.containers[0].resources.requests: Invalid value: "3Mi": must be equal to hugepages-2Mi limit of 4Mi',
      'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ])
  })
  test('of Windows reports every error of its user name', () => {
    const runAs = (runAsUserName: string) =>
      fields(pod({}, { securityContext: { windowsOptions: { runAsUserName } } })).map(
        (text) => text.split("runAsUserName's ")[1],
      )
    expect(runAs('.bad:domain\\a*b')).toEqual([
      "Domain doesn't match the NetBios nor the DNS format",
      'User cannot contain the following characters: "/\\:;|=,+*?<>@[]',
    ])
    expect(runAs('dom.example\\. .')).toEqual(['User cannot contain only periods or spaces'])
    expect(fields(pod({ os: {} }))).toEqual(['spec.os.name: Required value: cannot be empty'])
  })
  test('rejects lifecycle hooks in an ephemeral container, even empty ones', () => {
    const ephemeralContainers = [{ name: 'e', image: 'i', lifecycle: {}, resources: {} }]
    expect(fields(pod({ ephemeralContainers }))).toEqual([
      'spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an Ephemeral Container',
    ])
  })
})

describe('matchLabelKeys', () => {
  test('must not be in another requirement', () => {
    const labelSelector = {
      matchLabels: { app: 'a' },
      matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }],
    }
    const term = { topologyKey: 'zone', labelSelector, matchLabelKeys: ['tier', 'app'] }
    const required = 'requiredDuringSchedulingIgnoredDuringExecution'
    expect(texts(podErrors(pod({ affinity: { podAffinity: { [required]: [term] } } })))).toEqual([
      `spec.affinity.podAffinity.${required}[0][1]: Invalid value: "app": exists in both matchLabelKeys and labelSelector`,
    ])
  })
  test('requires a selector, and is validated without one too', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      matchLabelKeys: ['/'],
    }
    const path = 'spec.topologySpreadConstraints[0].matchLabelKeys'
    const [first, second] = texts(podErrors(pod({ topologySpreadConstraints: [constraint] })))
    expect(first).toBe(`${path}: Forbidden: must not be specified when labelSelector is not set`)
    expect(second).toContain(`${path}[0]: Invalid value: "/": prefix part must be non-empty`)
  })
})

describe('the update of a pod', () => {
  const before = pod({
    activeDeadlineSeconds: 100,
    tolerations: [{ key: 'a', operator: 'Exists' }],
  })
  const changed = (spec: Partial<PodSpec>) =>
    podChangeErrors({ ...before, spec: { ...before.spec, ...spec } }, before, TABLES)

  test('accepts images, the deadline and additional tolerations', () => {
    const containers = [{ ...(before.spec?.containers?.[0] as Container), image: 'nginx:2' }]
    expect(
      changed({
        containers,
        activeDeadlineSeconds: 50,
        tolerations: [{ key: 'a', operator: 'Exists' }, { key: 'b' }],
      }),
    ).toEqual([])
  })
  test('rejects removed tolerations and a later deadline', () => {
    expect(texts(changed({ tolerations: [] }))[0]).toContain(
      'existing toleration can not be modified',
    )
    expect(texts(changed({ activeDeadlineSeconds: 200 }))[0]).toContain(
      'must be less than or equal to previous value',
    )
  })
  test('rejects the removal of the deadline, and validates the rest', () => {
    const { activeDeadlineSeconds, ...spec } = before.spec ?? {}
    const errors = podChangeErrors(
      { ...before, spec: { ...spec, tolerations: [] } },
      before,
      TABLES,
    )
    expect(texts(errors).map((text) => text.split(': ')[0])).toEqual([
      'spec.activeDeadlineSeconds',
      'spec.tolerations',
    ])
  })
  test('with scheduling gates accepts only additional node requirements', () => {
    const required = 'requiredDuringSchedulingIgnoredDuringExecution'
    const requests = (...keys: string[][]) => ({
      nodeAffinity: {
        [required]: {
          nodeSelectorTerms: keys.map((of) => ({
            matchExpressions: of.map((key) => ({ key, operator: 'Exists' })),
          })),
        },
      },
    })
    const gated = pod({ schedulingGates: [{ name: 'a/b' }], affinity: requests(['x'], ['y']) })
    const to = (affinity: PodSpec['affinity']) =>
      texts(
        podChangeErrors({ ...gated, spec: { ...gated.spec, affinity } as PodSpec }, gated, TABLES),
      )
    const at = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`
    expect(to(requests(['x', 'z'], ['y']))).toEqual([])
    expect(to(requests(['z', 'x'], ['y']))[0]).toMatch(
      `${at}[0]: Invalid value: core.NodeSelectorTerm{`,
    )
    expect(to(requests(['x']))[0]).toMatch(
      `${at}: Invalid value: []core.NodeSelectorTerm{core.NodeSelectorTerm{`,
    )
    expect(to({ nodeAffinity: {} })[0]).toMatch(
      `${at}: Invalid value: []core.NodeSelectorTerm(nil): no additions/deletions`,
    )
  })
  test('keeps the QoS class of the status on any change', () => {
    const reported = { ...pod({}), status: { qosClass: 'Burstable' } }
    expect(podChangeErrors(reported, reported, TABLES)).toEqual([])
    const image = { ...reported, spec: pod({}, { image: 'nginx:2' }).spec as PodSpec }
    expect(texts(podChangeErrors(image, reported, TABLES))).toEqual([
      'metadata: Invalid value: "Burstable": Pod QoS is immutable',
    ])
  })
  test('of anything else is rejected with the difference', () => {
    const [error] = texts(changed({ hostname: 'h' }))
    expect(error).toContain(
      'pod updates may not change fields other than `spec.containers[*].image`',
    )
    expect(error).toMatch(/\n- \tHostname: +"",\n\+ \tHostname: +"h",\n/)
  })
})

test('warns of deprecated labels and of hidden fields', () => {
  const env = [
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
  ]
  expect(podWarnings(pod({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }, { env }))).toEqual(
    [
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ],
  )
})

test('groups the warnings by container and resource', () => {
  const annotations = { 'container.seccomp.security.alpha.kubernetes.io/app': 'runtime/default' }
  const resources = {
    limits: { memory: '1m', 'ephemeral-storage': '1m' },
    requests: { memory: '1m' },
  }
  const made = pod(
    {},
    { resources, ports: [{ containerPort: 80, protocol: 'TCP', hostIP: '10.0.0.9' }] },
  )
  const found = podWarnings({ ...made, metadata: { ...made.metadata, annotations } })
  expect(found.map((text) => text.split(': ')[0])).toEqual([
    'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/app]',
    'spec.containers[0].resources.limits[memory]',
    'spec.containers[0].resources.requests[memory]',
    'spec.containers[0].resources.limits[ephemeral-storage]',
    'spec.containers[0].resources.requests[ephemeral-storage]',
    'spec.containers[0].ports[0]',
  ])
  expect(found.at(-1)).toBe(
    'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.9}',
  )
})

describe('an AppArmor profile that an annotation states', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/app'
  const settled = (annotation: string, appArmorProfile?: { type: string }) => {
    const made = pod(appArmorProfile ? { securityContext: { appArmorProfile } } : {})
    made.metadata.annotations = { [key]: annotation }
    const warnings: string[] = []
    settleAppArmor(made, (text) => warnings.push(text), true)
    return {
      profile: made.spec?.containers?.[0]?.securityContext?.appArmorProfile,
      warnings: warnings.length,
    }
  }
  test('is copied to the field with a warning, unless the pod states the same', () => {
    expect(settled('unconfined')).toEqual({ profile: { type: 'Unconfined' }, warnings: 1 })
    expect(settled('unconfined', { type: 'RuntimeDefault' })).toEqual({
      profile: { type: 'Unconfined' },
      warnings: 1,
    })
    expect(settled('unconfined', { type: 'Unconfined' })).toEqual({
      profile: undefined,
      warnings: 0,
    })
    expect(settled('odd', { type: 'Unconfined' })).toEqual({ profile: undefined, warnings: 1 })
  })
})

test.each([
  ['app', 'Always'],
  ['a'.repeat(237), 'Always'],
  ['a'.repeat(238), 'IfNotPresent'],
  [`docker.io/${'a'.repeat(238)}`, 'IfNotPresent'],
  [`example.com/${'a'.repeat(243)}`, 'Always'],
  [`example.com/${'a'.repeat(244)}`, 'IfNotPresent'],
  ['f'.repeat(64), 'IfNotPresent'],
  [`${'f'.repeat(64)}:latest`, 'Always'],
  ['[fd00::1]:5000/app', 'Always'],
  [`app:latest@sha256:${'0'.repeat(64)}`, 'Always'],
  ['app:latest@sha256:0', 'IfNotPresent'],
])('the image %s is pulled %s', (image, policy) =>
  expect(pod({}, { image }).spec?.containers?.[0]?.imagePullPolicy).toBe(policy),
)

test('port names are short and have a letter', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{1,20}$/), (name) => {
      expect(portNameProblems(name).length === 0).toBe(name.length <= 15 && /[a-z]/.test(name))
    }),
  )
})

test.each([
  ['a/b', 0],
  ['/a', 1],
  ['a/../b', 1],
  ['..a', 1],
  ['../a', 1],
])('the path %s has %d errors', (path, count) =>
  expect(unreservedPathErrors('f', path)).toHaveLength(count),
)
