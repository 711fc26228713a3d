/** Fields of pods behind feature gates: dropped while the gate is off, validated while it is on. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { causes, type TestServer, testServer } from './server'

const PODS = '/api/v1/namespaces/default/pods'
const TEMPLATES = '/api/v1/namespaces/default/podtemplates'

const pod = (spec: JsonObject, container: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
})
const specOf = ({ body }: { body: KubeObject }) =>
  body.spec as { [member: string]: unknown; containers: JsonObject[]; volumes?: JsonObject[] }
/** A server with feature gates, whose pods need no service account. */
async function server(...gates: string[]): Promise<TestServer> {
  const made = testServer({ featureGates: Object.fromEntries(gates.map((gate) => [gate, true])) })
  await made.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  })
  return made
}
const unmasked = { securityContext: { procMount: 'Unmasked' } }

describe('user namespaces', () => {
  it('are dropped while the gate is off', async () => {
    expect(
      specOf(await (await server()).send('POST', PODS, pod({ hostUsers: false }))),
    ).not.toHaveProperty('hostUsers')
  })

  it('are accepted behind the gate, without the other host namespaces', async () => {
    const gated = await server('UserNamespacesSupport')
    expect(specOf(await gated.send('POST', PODS, pod({ hostUsers: false })))).toMatchObject({
      hostUsers: false,
    })
    const rejected = await gated.send(
      'POST',
      PODS,
      pod({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
    )
    expect(causes(rejected.body)).toEqual([
      'spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false',
      'spec.HostPID: Forbidden: when `pod.Spec.HostUsers` is false',
      'spec.HostIPC: Forbidden: when `pod.Spec.HostUsers` is false',
    ])
  })

  it('are required by an unmasked /proc', async () => {
    const gated = await server('UserNamespacesSupport', 'ProcMountType')
    expect(
      specOf(await gated.send('POST', PODS, pod({ hostUsers: false }, unmasked))).containers[0],
    ).toMatchObject(unmasked)
    const rejected = await gated.send('POST', PODS, pod({}, unmasked))
    expect(causes(rejected.body)).toEqual([
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ])
    expect(
      specOf(await (await server()).send('POST', PODS, pod({}, unmasked))).containers[0],
    ).toMatchObject({
      securityContext: { procMount: 'Default' },
    })
  })

  it('relax the Pod Security Standards behind a gate of their own', async () => {
    const requested = pod({ hostUsers: false }, unmasked)
    const gates = ['UserNamespacesSupport', 'ProcMountType']
    for (const [gated, status] of [
      [await server(...gates), 403],
      [await server(...gates, 'UserNamespacesPodSecurityStandards'), 201],
    ] as const) {
      const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' }
      await gated.send('POST', '/api/v1/namespaces', { metadata: { name: 'kept', labels } })
      await gated.send('POST', '/api/v1/namespaces/kept/serviceaccounts', {
        metadata: { name: 'default' },
      })
      expect((await gated.send('POST', '/api/v1/namespaces/kept/pods', requested)).status).toBe(
        status,
      )
      expect(
        (await gated.send('POST', '/api/v1/namespaces/kept/pods', pod({ hostNetwork: true })))
          .status,
      ).toBe(403)
    }
  })
})

describe('the supplementalGroupsPolicy', () => {
  const requested = (supplementalGroupsPolicy: string) =>
    pod({ securityContext: { supplementalGroupsPolicy } })
  it('is kept only behind its gate', async () => {
    expect(
      specOf(await (await server()).send('POST', PODS, requested('Strict'))).securityContext,
    ).toEqual({})
    const gated = await server('SupplementalGroupsPolicy')
    expect(specOf(await gated.send('POST', PODS, requested('Strict'))).securityContext).toEqual({
      supplementalGroupsPolicy: 'Strict',
    })
    expect(causes((await gated.send('POST', PODS, requested('Some'))).body)).toEqual([
      'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "Some": supported values: "Merge", "Strict"',
    ])
  })
})

describe('image volumes', () => {
  const mounted = (image: JsonObject, mount: JsonObject = {}) =>
    pod(
      { volumes: [{ name: 'v', image }] },
      { volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] },
    )
  const gated = () => server('ImageVolume')
  it('are pulled like the images of containers', async () => {
    const [latest, tagged] = [
      await (await gated()).send('POST', PODS, mounted({ reference: 'a' })),
      await (await gated()).send('POST', PODS, mounted({ reference: 'a:1' })),
    ]
    expect(specOf(latest).volumes?.[0]).toEqual({
      name: 'v',
      image: { reference: 'a', pullPolicy: 'Always' },
    })
    expect(specOf(tagged).volumes?.[0]).toEqual({
      name: 'v',
      image: { reference: 'a:1', pullPolicy: 'IfNotPresent' },
    })
  })

  it('require an image in pods, not in templates, and are mounted as a whole', async () => {
    const missing = mounted({})
    expect(causes((await (await gated()).send('POST', PODS, missing)).body)).toContain(
      'spec.volumes[0].image.reference: Required value',
    )
    expect(
      (
        await (
          await gated()
        ).send('POST', TEMPLATES, {
          metadata: { name: 'a' },
          template: { spec: missing.spec as JsonObject },
        })
      ).status,
    ).toBe(201)
    expect(
      causes(
        (await (await gated()).send('POST', PODS, mounted({ reference: 'a' }, { subPath: 'x' })))
          .body,
      ),
    ).toEqual([
      'spec.containers[0].volumeMounts[0].subPath: Invalid value: "x": not allowed in image volume sources',
    ])
  })
})

describe('projected trust bundles', () => {
  const projected = (...sources: JsonObject[]) =>
    pod({ volumes: [{ name: 'v', projected: { sources } }] })
  const at = 'spec.volumes[0].projected.sources[0]'
  it.each<[what: string, bundle: JsonObject, rejections: RegExp[]]>([
    ['of a bundle', { name: 'x', path: 'p' }, []],
    ['of a bundle of a signer', { name: 'a.b:c:d', path: 'p' }, []],
    [
      'of all bundles of a signer',
      { signerName: 'a.b/c', labelSelector: { matchLabels: { a: 'b' } }, path: 'p' },
      [],
    ],
    [
      'without a name',
      { path: 'p' },
      [/: Required value: either name or signerName must be specified$/],
    ],
    [
      'of two',
      { name: 'x', signerName: 'a.b/c', path: 'p' },
      [/: only one of name and signerName may be used$/],
    ],
    [
      'of a name that cannot be',
      { name: 'A_', path: 'p' },
      [/name: Invalid value: "A_": not a valid clustertrustbundlename: a lowercase RFC 1123/],
    ],
    [
      'of no name, nowhere',
      { name: '' },
      [
        /name: Required value: must be a valid object name$/,
        /not a valid clustertrustbundlename/,
        /path: Required value$/,
      ],
    ],
    [
      'of a name and some labels',
      { name: 'x', labelSelector: {}, path: 'p' },
      [/labelSelector must be unset if name is specified$/],
    ],
    [
      'outside of the volume',
      { name: 'x', path: '../p' },
      [/path: Invalid value: "..\/p": must not contain '..'$/],
    ],
  ])('%s', async (_, clusterTrustBundle, rejections) => {
    const response = await (
      await server('ClusterTrustBundle', 'ClusterTrustBundleProjection')
    ).send('POST', PODS, projected({ clusterTrustBundle }))
    if (rejections.length === 0) expect(response.status).toBe(201)
    expect(causes(response.body)).toEqual(
      rejections.map((rejection) => expect.stringMatching(rejection)),
    )
    for (const cause of causes(response.body)) expect(cause).toContain(`${at}.clusterTrustBundle`)
  })

  it('are dropped while the gate is off, and rejected next to another source', async () => {
    const response = await (await server()).send(
      'POST',
      PODS,
      projected({ clusterTrustBundle: { name: 'x', path: 'p' } }),
    )
    expect(specOf(response).volumes?.[0]).toEqual({
      name: 'v',
      projected: { sources: [{}], defaultMode: 420 },
    })
    const two = await (await server()).send(
      'POST',
      PODS,
      projected({ secret: { name: 's' }, configMap: { name: 'c' } }),
    )
    expect(causes(two.body)).toEqual([
      `${at}: Forbidden: may not specify more than 1 volume type per source`,
    ])
  })
})
