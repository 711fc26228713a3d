/** Rare objects; each case was compared with kube-apiserver. */
import { describe, expect, it, test } from 'vitest'
import { sendRequest, testServer } from '../support/server'

const server = testServer({ disableAdmissionPlugins: ['ServiceAccount'] })
const dryRun = (path: string, body: unknown) =>
  sendRequest(server, { method: 'POST', path: `${path}?dryRun=All`, body })
const causes = (json: { details?: { causes?: { field: string; message: string }[] } }) =>
  (json.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)

const container = { name: 'app', image: 'nginx:1.27' }
const withTemplate = (kind: string, spec: object) => ({
  apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
  kind,
  metadata: { name: 'web' },
  spec: {
    ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
    selector: kind === 'ReplicationController' ? { app: 'web' } : { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec },
  },
})

describe('members whose feature gate is off', () => {
  const spec = {
    containers: [
      {
        ...container,
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
        securityContext: { procMount: 'Unmasked' },
      },
    ],
  }
  test.each([
    ['Deployment', '/apis/apps/v1/namespaces/default/deployments'],
    ['ReplicaSet', '/apis/apps/v1/namespaces/default/replicasets'],
    ['DaemonSet', '/apis/apps/v1/namespaces/default/daemonsets'],
    ['StatefulSet', '/apis/apps/v1/namespaces/default/statefulsets'],
    ['ReplicationController', '/api/v1/namespaces/default/replicationcontrollers'],
  ])('are dropped from the template of a %s', async (kind, path) => {
    const { status, json } = await dryRun(path, withTemplate(kind, spec))
    expect(status).toBe(201)
    const [made] = json.spec.template.spec.containers
    expect(made.resizePolicy).toBeUndefined()
    expect(made.securityContext.procMount).toBe('Default')
  })
})

describe('defaults', () => {
  test('the older name of the service account follows the newer one', async () => {
    const spec = { containers: [container], serviceAccountName: 'one', serviceAccount: 'two' }
    const { json } = await dryRun(
      '/apis/apps/v1/namespaces/default/deployments',
      withTemplate('Deployment', spec),
    )
    expect(json.spec.template.spec).toMatchObject({
      serviceAccountName: 'one',
      serviceAccount: 'one',
    })
  })
  test('rollingUpdate of an OnDelete daemon set is zero', async () => {
    const set = withTemplate('DaemonSet', { containers: [container] })
    const updateStrategy = { type: 'OnDelete', rollingUpdate: {} }
    const { json } = await dryRun('/apis/apps/v1/namespaces/default/daemonsets', {
      ...set,
      spec: { ...set.spec, updateStrategy },
    })
    expect(json.spec.updateStrategy).toEqual({
      type: 'OnDelete',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 0 },
    })
  })
  test('adds no rollingUpdate to a stateful set that states only its strategy', async () => {
    const set = withTemplate('StatefulSet', { containers: [container] })
    const steps = async (updateStrategy: object) =>
      (
        await dryRun('/apis/apps/v1/namespaces/default/statefulsets', {
          ...set,
          spec: { ...set.spec, updateStrategy },
        })
      ).json.spec.updateStrategy
    expect(await steps({})).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } })
    expect(await steps({ type: 'RollingUpdate' })).toEqual({ type: 'RollingUpdate' })
    expect(await steps({ type: 'RollingUpdate', rollingUpdate: {} })).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { partition: 0 },
    })
  })
  test('rejects an empty string that is a value of its own, instead of defaulting it', async () => {
    const ingress = [{ ports: [{ protocol: '' }] }]
    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'n' },
      spec: { podSelector: {}, ingress },
    }
    expect(
      causes(
        (await dryRun('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', policy))
          .json,
      ),
    ).toEqual([
      'spec.ingress[0].ports[0].protocol: Unsupported value: "": supported values: "TCP", "UDP", "SCTP"',
    ])
    const claim = {
      volumeMode: '',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    }
    const volumes = [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }]
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [container], volumes },
    }
    expect(causes((await dryRun('/api/v1/namespaces/default/pods', pod)).json)).toEqual([
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.volumeMode: Unsupported value: "": supported values: "Block", "Filesystem"',
    ])
  })
  test('a status without a phase gets the first one', async () => {
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'default' },
      status: {},
    }
    const { status, json } = await sendRequest(server, {
      method: 'PUT',
      path: '/api/v1/namespaces/default/status?dryRun=All',
      body: namespace,
    })
    expect([status, json.status]).toEqual([200, { phase: 'Active' }])
  })
})

describe('names', () => {
  test('a limit range without a name gets a random one', async () => {
    const { status, json } = await dryRun('/api/v1/namespaces/default/limitranges', {
      apiVersion: 'v1',
      kind: 'LimitRange',
    })
    expect(status).toBe(201)
    expect(json.metadata.name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  test('the name of an event is any path segment, validated last', async () => {
    const event = (name: string, namespace: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name },
      involvedObject: { namespace },
    })
    const events = '/api/v1/namespaces/default/events'
    expect((await dryRun(events, event('Any Name', 'default'))).status).toBe(201)
    expect(causes((await dryRun(events, event('a/b', 'default'))).json)).toEqual([
      `metadata.name: Invalid value: "a/b": may not contain '/'`,
    ])
    expect(causes((await dryRun(events, event('', 'other'))).json)).toEqual([
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    ])
  })

  test('the name of a signing request is any path segment', async () => {
    const request = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'A:b' },
      spec: { request: '' },
    }
    const { json } = await dryRun(
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      request,
    )
    expect(causes(json)).toEqual([
      'spec.request: Invalid value: []byte{}: PEM block type must be CERTIFICATE REQUEST',
      'spec.usages: Required value',
      'spec.signerName: Required value',
    ])
  })
})

describe('a dry run', () => {
  it.each(['0', 'x'])('returns the ignored resourceVersion %j as sent', async (resourceVersion) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', resourceVersion } }
    expect(
      (await dryRun('/api/v1/namespaces/default/configmaps', body)).json.metadata.resourceVersion,
    ).toBe(resourceVersion)
  })
})
