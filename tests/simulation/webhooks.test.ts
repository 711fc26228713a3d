// cspell:ignore crdconvert nondeletable
/** Webhooks that a simulated container serves behind a service. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { type Pods, podsOn } from './pods'

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
const { cert, key } = selfSignedCertificate('hook.default.svc', 0)
const caBundle = btoa(cert)
let pods: Pods
beforeEach(async () => {
  pods = await podsOn()
  await pods.create('secrets', { metadata: { name: 'certificate' }, stringData: { cert, key } })
})
afterEach(() => pods.cluster.close())

async function server(subcommand: string) {
  await pods.create('services', {
    metadata: { name: 'hook' },
    spec: { selector: { app: 'hook' }, ports: [{ port: 8443, targetPort: 8444 }] },
  })
  const tls = ['--tls-cert-file=/certificates/cert', '--tls-private-key-file=/certificates/key']
  await pods.pod(
    'hook',
    {
      containers: [
        {
          name: 'c',
          image: AGNHOST,
          args: [subcommand, ...tls, '--port=8444'],
          readinessProbe: { httpGet: { scheme: 'HTTPS', path: '/readyz', port: 8444 } },
          volumeMounts: [{ name: 'tls', mountPath: '/certificates' }],
        },
      ],
      volumes: [{ name: 'tls', secret: { secretName: 'certificate' } }],
    },
    { labels: { app: 'hook' } },
  )
}

const send = async (method: string, path: string, body: object, type = 'application/json') => {
  const { status, json } = await pods.cluster.sendRequest({
    method,
    path,
    body,
    headers: { 'content-type': type },
  })
  return { status, json }
}

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1'
const webhook = (path: string, more: object = {}) => ({
  name: `${path.slice(1).replaceAll('/', '-')}.example.com`,
  admissionReviewVersions: ['v1', 'v1beta1'],
  sideEffects: 'None',
  timeoutSeconds: 1,
  clientConfig: { caBundle, service: { namespace: 'default', name: 'hook', path, port: 8443 } },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
  ...more,
})
const register = (kind: 'Mutating' | 'Validating', ...webhooks: object[]) =>
  send('POST', `${CONFIGURATIONS}/${kind.toLowerCase()}webhookconfigurations`, {
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'reviews' },
    webhooks,
  })
const configMap = (name: string, data: object) =>
  send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name }, data })

it('reviews what is created and deleted', async () => {
  await server('webhook')
  await register('Validating', webhook('/configmaps'))
  const { status, json } = await configMap('a', { 'webhook-e2e-test': 'webhook-disallow' })
  expect([status, json.message]).toEqual([
    400,
    'admission webhook "configmaps.example.com" denied the request: ' +
      'the configmap contains unwanted key and value',
  ])
  const mark = { 'webhook-e2e-test': 'webhook-nondeletable' }
  expect((await configMap('b', mark)).status).toBe(201)
  const deleted = await send('DELETE', '/api/v1/namespaces/default/configmaps/b', {})
  expect(deleted.json.message).toContain('the configmap cannot be deleted')
})

it('changes objects in stages', async () => {
  await server('webhook')
  const stages = webhook('/mutating-configmaps', { reinvocationPolicy: 'Never' })
  await register('Mutating', stages, { ...stages, name: 'second.example.com' })
  const { json } = await configMap('a', { 'mutation-start': 'yes' })
  expect(json.data).toEqual({
    'mutation-start': 'yes',
    'mutation-stage-1': 'yes',
    'mutation-stage-2': 'yes',
  })
})

it('is not called without a trusted certificate', async () => {
  await server('webhook')
  const service = { namespace: 'default', name: 'hook', path: '/always-allow-delay-5s', port: 8443 }
  await register('Validating', webhook('/always-deny', { clientConfig: { service } }))
  const { status, json } = await configMap('a', {})
  expect([status, json.message]).toEqual([
    500,
    'Internal error occurred: failed calling webhook "always-deny.example.com": failed to call ' +
      'webhook: Post "https://hook.default.svc:8443/always-allow-delay-5s?timeout=1s": tls: ' +
      'failed to verify certificate: x509: certificate signed by unknown authority',
  ])
})

it('may be too slow', async () => {
  await server('webhook')
  await register('Validating', webhook('/always-allow-delay-5s'))
  const waiting = configMap('a', {})
  await pods.cluster.pass(2)
  expect((await waiting).json.message).toContain('context deadline exceeded')
  const path = `${CONFIGURATIONS}/validatingwebhookconfigurations/reviews`
  const slow = webhook('/always-allow-delay-5s', { timeoutSeconds: 10 })
  await send('PATCH', path, { webhooks: [slow] }, 'application/merge-patch+json')
  const created = configMap('a', {})
  await pods.cluster.pass(6)
  expect((await created).status).toBe(201)
})

it('converts custom resources', async () => {
  await server('crd-conversion-webhook')
  const version = (name: string, storage: boolean) => ({
    name,
    storage,
    served: true,
    schema: {
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  })
  const service = { namespace: 'default', name: 'hook', path: '/crdconvert', port: 8443 }
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'hosts.stable.example.com' },
    spec: {
      group: 'stable.example.com',
      scope: 'Namespaced',
      names: { plural: 'hosts', singular: 'host', kind: 'Host', listKind: 'HostList' },
      versions: [version('v1', true), version('v2', false)],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1', 'v1beta1'],
          clientConfig: { caBundle, service },
        },
      },
    },
  })
  await pods.cluster.pass(5)
  const created = await send('POST', '/apis/stable.example.com/v1/namespaces/default/hosts', {
    apiVersion: 'stable.example.com/v1',
    kind: 'Host',
    metadata: { name: 'a' },
    hostPort: 'localhost:8080',
  })
  expect(created.status).toBe(201)
  const path = '/apis/stable.example.com/v2/namespaces/default/hosts/a'
  const { json } = await pods.cluster.sendRequest({ path })
  expect(json).toMatchObject({
    apiVersion: 'stable.example.com/v2',
    host: 'localhost',
    port: '8080',
  })
  expect(json.hostPort).toBe(undefined)
})
