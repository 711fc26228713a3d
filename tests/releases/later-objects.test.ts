/** Rules of pods, services and their neighbors that later releases changed. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { testServer } from '../registry/server'

beforeAll(() => loadTables('1.35'))

const NAMESPACE = '/api/v1/namespaces/default'

interface Reply {
  metadata: { annotations?: JsonObject; labels?: JsonObject }
  status?: JsonObject
  spec?: JsonObject
  details?: { causes?: { field: string; message: string }[] }
}

const at = (release: string) => testServer({ release, disableAdmissionPlugins: ['ServiceAccount'] })
const causes = ({ details }: Reply) =>
  (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)

const pod = (spec: object, container: object = {}) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', labels: { app: 'shop' } },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: 'app', image: 'nginx', ...container }],
    ...spec,
  },
})
const createPod = async (release: string, spec: object, container: object = {}) =>
  (await at(release).send<Reply>('POST', `${NAMESPACE}/pods`, pod(spec, container))).body

describe('errors of pods', () => {
  it('print a superfluous value, and the toleration until 1.32', async () => {
    const tolerations = [{ operator: 'Exists', value: 'x' }]
    const found = async (release: string) => causes(await createPod(release, { tolerations }))[0]
    expect(await found('1.31')).toMatch(/operator: Invalid value: core\.Toleration\{/)
    expect(await found('1.33')).toMatch(/operator: Invalid value: "x": value must be empty/)
    expect(await found('1.35')).toMatch(/operator: Invalid value: "x": value must be empty/)
  })

  it('are about a CSI driver without a name once since 1.35', async () => {
    const volumes = [{ name: 'v', csi: {} }]
    const count = async (release: string) => causes(await createPod(release, { volumes })).length
    expect(await count('1.33')).toBe(2)
    expect(await count('1.35')).toBe(1)
  })

  it('forbid policies of regular containers until ContainerRestartRules is on', async () => {
    const always = { restartPolicy: 'Always' }
    expect(causes(await createPod('1.33', {}, always))).toEqual([
      'spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers',
    ])
    expect(causes(await createPod('1.35', {}, always))).toEqual([])
  })

  it('are about restart rules since 1.35', async () => {
    const restartPolicyRules = [{ action: 'Pause', exitCodes: { operator: 'Is', values: [1] } }, {}]
    expect(causes(await createPod('1.35', {}, { restartPolicyRules }))).toEqual([
      'spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
      'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "Pause": supported values: "Restart"',
      'spec.containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"',
      'spec.containers[0].restartPolicyRules[1].action: Unsupported value: "": supported values: "Restart"',
      'spec.containers[0].restartPolicyRules[1].exitCodes: Required value: must be specified',
    ])
  })
})

describe('new pods', () => {
  it('have no AppArmor annotation for a profile in a field since 1.35', async () => {
    const securityContext = { appArmorProfile: { type: 'RuntimeDefault' } }
    const annotations = async (release: string) =>
      (await createPod(release, { securityContext })).metadata.annotations
    expect(await annotations('1.33')).toEqual({
      'container.apparmor.security.beta.kubernetes.io/app': 'runtime/default',
    })
    expect(await annotations('1.35')).toBeUndefined()
  })

  it('have keys of spread constraints in their selectors since 1.34', async () => {
    const topologySpreadConstraints = [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        matchLabelKeys: ['app'],
        labelSelector: { matchLabels: { tier: 'front' } },
      },
    ]
    const selector = async (release: string) => {
      const { spec } = await createPod(release, { topologySpreadConstraints })
      const constraints = spec?.topologySpreadConstraints as { labelSelector: object }[] | undefined
      return constraints?.[0]?.labelSelector
    }
    expect(await selector('1.33')).toEqual({ matchLabels: { tier: 'front' } })
    expect(await selector('1.35')).toEqual({
      matchLabels: { tier: 'front' },
      matchExpressions: [{ key: 'app', operator: 'In', values: ['shop'] }],
    })
  })
})

describe('bound pods', () => {
  const bound = async (release: string) => {
    const { send } = at(release)
    await send('POST', `${NAMESPACE}/pods`, pod({}))
    await send('POST', `${NAMESPACE}/pods/p/binding`, {
      kind: 'Binding',
      apiVersion: 'v1',
      metadata: { name: 'p', labels: { zone: 'a' } },
      target: { kind: 'Node', name: 'n' },
    })
    return send
  }

  it('have the labels of their binding since 1.35', async () => {
    const labels = async (release: string) =>
      (await (await bound(release))<Reply>('GET', `${NAMESPACE}/pods/p`)).body.metadata.labels
    expect(await labels('1.33')).toEqual({ app: 'shop' })
    expect(await labels('1.35')).toEqual({ app: 'shop', zone: 'a' })
  })

  it('are nominated for no node since 1.35', async () => {
    const nominate = async (release: string) => {
      const send = await bound(release)
      const { body } = await send<Reply>('GET', `${NAMESPACE}/pods/p`)
      const status = { ...body.status, nominatedNodeName: 'other' }
      return causes(
        (
          await send<Reply>('PUT', `${NAMESPACE}/pods/p/status`, {
            ...(body as object),
            status,
          })
        ).body,
      )
    }
    expect(await nominate('1.33')).toEqual([])
    expect(await nominate('1.35')).toEqual([
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    ])
  })
})

it('services get warnings for ignored members and an old distribution since 1.35', async () => {
  const warnings = async (release: string) => {
    const { headers } = await at(release).send('POST', `${NAMESPACE}/services`, {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 's' },
      spec: {
        clusterIP: 'None',
        sessionAffinity: 'ClientIP',
        externalIPs: ['192.0.2.7'],
        trafficDistribution: 'PreferClose',
      },
    })
    return headers.warning
  }
  expect(await warnings('1.33')).toBeUndefined()
  expect(await warnings('1.35')).toEqual([
    '299 - "spec.externalIPs is ignored for headless services"',
    '299 - "spec.SessionAffinity is ignored for headless services"',
    expect.stringContaining('is deprecated; use'),
  ])
})

it('errors of an updated binding are listed once since 1.35', async () => {
  const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings'
  const binding = (name: string) => ({
    kind: 'RoleBinding',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }],
  })
  const count = async (release: string) => {
    const { send } = at(release)
    await send('POST', path, binding('jane'))
    return causes((await send<Reply>('PUT', `${path}/b`, binding(''))).body).length
  }
  expect(await count('1.33')).toBe(2)
  expect(await count('1.35')).toBe(1)
})
