import { beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import type { Release } from '../../src/engine/releases/release'
import { testServer } from '../admission/server'

beforeAll(() => loadTables('1.37'))

/** The errors of a pod, without the name of the pod; empty if it is created. */
async function errorsOf(
  release: Release,
  container: Record<string, unknown>,
  spec: Record<string, unknown> = {},
): Promise<string> {
  const server = testServer({ release })
  await server.namespace('team')
  const { body } = await server.pod('team', {
    containers: [{ name: 'c', image: 'i', ...container }],
    ...spec,
  })
  return (body.message ?? '').replace('Pod "p" is invalid: ', '')
}

describe('resources of pods as a whole', () => {
  const resources = { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } }

  it('default to those of containers, and decide the QoS class', async () => {
    const server = testServer({ release: '1.37' })
    await server.namespace('team')
    const containers = [{ name: 'c', image: 'i', resources: { limits: { memory: '1Mi' } } }]
    const { body } = await server.pod('team', { resources, containers })
    expect(body.spec.resources).toEqual({
      ...resources,
      requests: { cpu: '1', memory: '1Mi' },
    })
    expect((body.status as { qosClass?: string }).qosClass).toBe('Burstable')
  })

  it('are dropped before 1.34, where their gate is off', async () => {
    const server = testServer({ release: '1.33' })
    await server.namespace('team')
    const { body } = await server.pod('team', { resources })
    expect(body.spec.resources).toBeUndefined()
  })

  it.each([
    [
      { requests: { 'ephemeral-storage': '1Gi' } },
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    ],
    [
      { requests: { cpu: '2' }, limits: { cpu: '1' } },
      'spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      { claims: [{ name: 'x' }] },
      '[spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level, spec.resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty]',
    ],
    [
      { requests: { cpu: '100m' } },
      'spec.resources.requests[cpu]: Invalid value: "100m": must be greater than or equal to aggregate container requests of 200m',
    ],
    [
      { limits: { cpu: '100m' }, requests: { cpu: '100m' } },
      '[spec.resources.requests[cpu]: Invalid value: "100m": must be greater than or equal to aggregate container requests of 200m, spec.resources.containers[0][cpu].limits: Invalid value: "200m": must be less than or equal to pod limits of 100m]',
    ],
  ])('are checked: %j', async (given, message) => {
    const own = { resources: { limits: { cpu: '200m' } } }
    const container = JSON.stringify(given).includes('100m') ? own : {}
    expect(await errorsOf('1.37', container, { resources: given })).toBe(message)
  })
})

const rules = (count: number) =>
  Array.from({ length: count }, () => ({
    action: 'Restart',
    exitCodes: { operator: 'In', values: [1] },
  }))
const fileKey = (ref: object) => ({ env: [{ name: 'A', valueFrom: { fileKeyRef: ref } }] })
const projected = (podCertificate: object) => ({
  volumes: [{ name: 'v', projected: { sources: [{ podCertificate }] } }],
})
const AT = 'spec.volumes[0].projected.sources[0].podCertificate'

describe('pods of newer releases', () => {
  it.each<[Release, object, object, string]>([
    ['1.37', {}, { hostnameOverride: 'a.b' }, ''],
    [
      '1.37',
      {},
      { hostnameOverride: 'a', setHostnameAsFQDN: true, hostNetwork: true },
      '[spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true, spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true]',
    ],
    [
      '1.35',
      { restartPolicy: 'Never', restartPolicyRules: rules(21) },
      {},
      'spec.containers[0].restartPolicyRules: Too long: may not be more than 20 bytes',
    ],
    [
      '1.36',
      { restartPolicy: 'Never', restartPolicyRules: rules(21) },
      {},
      'spec.containers[0].restartPolicyRules: Too many: 21: must have at most 20 items',
    ],
    [
      '1.35',
      {},
      {
        initContainers: [
          { name: 'i', image: 'i', restartPolicy: 'Always', restartPolicyRules: rules(1) },
        ],
      },
      'spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always',
    ],
    [
      '1.37',
      fileKey({ volumeName: 'w', path: '../b', key: '=' }),
      {},
      '[spec.containers[0].env[0].valueFrom.fileKeyRef.key: Invalid value: "=": a valid environment variable name must consist only of printable ASCII characters other than \'=\', spec.containers[0].env[0].valueFrom.fileKeyRef.path: Invalid value: "../b": must not contain \'..\', spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: "w"]',
    ],
    [
      '1.37',
      fileKey({ volumeName: 'v', path: 'b', key: 'K' }),
      { volumes: [{ name: 'v', hostPath: { path: '/' } }] },
      'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir',
    ],
    [
      '1.37',
      {},
      projected({ signerName: 'a.b/c', keyType: 'RSA4096', maxExpirationSeconds: 10 }),
      `[${AT}.maxExpirationSeconds: Invalid value: 10: if provided, maxExpirationSeconds must be >= 3600, ${AT}: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath]`,
    ],
    [
      '1.37',
      {},
      projected({
        signerName: 'a.b/c',
        keyType: 'ED25519',
        credentialBundlePath: 'x',
        userAnnotations: { a: 'b' },
      }),
      `${AT}.userAnnotations: Invalid value: "a": must be a domain-prefixed key (such as "acme.io/foo")`,
    ],
    [
      '1.35',
      {},
      { securityContext: { seLinuxChangePolicy: 'MountOption' } },
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ],
    ['1.37', {}, { securityContext: { seLinuxChangePolicy: 'MountOption' } }, ''],
    [
      '1.37',
      { volumeDevices: [{ name: 'v', devicePath: '/x' }] },
      { hostUsers: false, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }] },
      'spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false',
    ],
    [
      '1.37',
      { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      { restartPolicy: 'Never' },
      "spec.containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    ],
    [
      '1.35',
      {},
      { tolerations: [{ key: 'a', operator: 'Lt', value: '5' }] },
      'spec.tolerations[0].operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"',
    ],
    [
      '1.37',
      { resources: { claims: [{ name: 'a', request: 'A_' }] } },
      { resourceClaims: [{ name: 'a', resourceClaimName: 'x' }] },
      "spec.containers[0].resources.claims[0].request: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    [
      '1.35',
      { volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'x' }] },
      { volumes: [{ name: 'v', image: { reference: 'x' } }] },
      '',
    ],
  ])('are checked at %s: %j %j', async (release, container, spec, message) => {
    expect(await errorsOf(release, container as never, spec as never)).toBe(message)
  })

  it('lose a lifecycle that has only a stop signal', async () => {
    const server = testServer({ release: '1.37' })
    await server.namespace('team')
    const containers = [{ name: 'c', image: 'i', lifecycle: { stopSignal: 'SIGTERM' } }]
    const { body } = await server.pod('team', { containers })
    expect(body.spec.containers?.[0]).not.toHaveProperty('lifecycle')
  })
})
