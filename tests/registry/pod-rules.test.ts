import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPodOnly, defaultPodSpec } from '../../src/engine/registry/core/pod-defaults'
import type { Container, Pod, PodSpec } from '../../src/engine/registry/core/pod-types'
import { podChangeErrors } from '../../src/engine/registry/core/pod-update'
import { podErrors, podTemplateErrors } from '../../src/engine/registry/core/pod-validation/template'
import { podWarnings } from '../../src/engine/registry/core/pod-warnings'
import { portNameProblems } from '../../src/engine/registry/rules/numbers'
import { unreservedPathErrors } from '../../src/engine/registry/rules/paths'

/** A pod as it is after defaults. */
function pod(spec: PodSpec, container: Container = {}): Pod {
  const whole = { containers: [{ name: 'app', image: 'nginx:1', ...container }], ...spec } as PodSpec
  defaultPodSpec(whole as never)
  defaultPodOnly(whole as never)
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', namespace: 'n' }, spec: whole }
}
const texts = (errors: { field: string; detail: string }[]) => errors.map(({ field, detail }) => `${field}: ${detail}`)

describe('a pod', () => {
  test('of one container is valid', () => expect(podErrors(pod({}))).toEqual([]))
  test('names each field that is wrong, volumes first', () => {
    const wrong = pod({ volumes: [{ name: 'V', emptyDir: {} }], restartPolicy: 'Perhaps' }, { image: ' x' })
    expect(texts(podErrors(wrong)).map((text) => text.split(': ')[0])).toEqual([
      'spec.volumes[0].name',
      'spec.restartPolicy',
      'spec.containers[0].image',
    ])
  })
  test('cannot mount a volume that is missing or invalid', () => {
    const mounts = { volumeMounts: [{ name: 'v', mountPath: '/v' }] }
    expect(texts(podErrors(pod({}, mounts)))).toEqual(['spec.containers[0].volumeMounts[0].name: Not found: "v"'])
    const invalid = pod({ volumes: [{ name: 'v', hostPath: {} }] }, mounts)
    expect(texts(podErrors(invalid))).toContain('spec.containers[0].volumeMounts[0].name: Not found: "v"')
  })
  test('on its host has the container ports there; a template may leave them open', () => {
    const ports = { ports: [{ containerPort: 80, hostPort: 81, protocol: 'TCP' }] }
    expect(texts(podErrors(pod({ hostNetwork: true }, ports)))[0]).toContain('must match `containerPort`')
    const open = { metadata: {}, spec: pod({}, { ports: [{ containerPort: 80, protocol: 'TCP' }] }).spec as PodSpec }
    expect(podTemplateErrors({ ...open, spec: { ...open.spec, hostNetwork: true } }, 'template')).toEqual([])
  })
  test('that says that it has an operating system says which', () => {
    expect(texts(podErrors(pod({ os: { name: '' } })))).toEqual(['spec.os.name: Required value: cannot be empty'])
  })
  test('requests no more than its limits', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (request, limit) => {
        const resources = { requests: { cpu: `${request}m` }, limits: { cpu: `${limit}m` } }
        expect(podErrors(pod({}, { resources })).length > 0).toBe(request > limit)
      }),
    )
  })
})

describe('the change of a pod', () => {
  const before = pod({ activeDeadlineSeconds: 100, tolerations: [{ key: 'a', operator: 'Exists' }] })
  const changed = (spec: Partial<PodSpec>) => podChangeErrors({ ...before, spec: { ...before.spec, ...spec } }, before)

  test('may be of its images, its deadline and more tolerations', () => {
    const containers = [{ ...(before.spec?.containers?.[0] as Container), image: 'nginx:2' }]
    expect(changed({ containers, activeDeadlineSeconds: 50, tolerations: [{ key: 'a', operator: 'Exists' }, { key: 'b' }] })).toEqual([])
  })
  test('keeps its tolerations and brings the deadline nearer only', () => {
    expect(texts(changed({ tolerations: [] }))[0]).toContain('existing toleration can not be modified')
    expect(texts(changed({ activeDeadlineSeconds: 200 }))[0]).toContain('must be less than or equal to previous value')
  })
  test('of anything else is refused with the difference', () => {
    const [error] = texts(changed({ hostname: 'h' }))
    expect(error).toContain('pod updates may not change fields other than `spec.containers[*].image`')
    expect(error).toMatch(/\n- \tHostname: +"",\n\+ \tHostname: +"h",\n/)
  })
})

test('warnings tell of labels that are going, and of what hides something', () => {
  const env = [
    { name: 'A', value: '1' },
    { name: 'A', value: '2' },
  ]
  expect(podWarnings(pod({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }, { env }))).toEqual([
    'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
  ])
})

test('names of ports are short and have a letter', () => {
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
])('the path %s has %d problems', (path, count) => expect(unreservedPathErrors('f', path)).toHaveLength(count))
