/** Credentials for admission webhooks: users of a kubeconfig that are named after hosts. */
import { describe, expect, it } from 'vitest'
import { FileError, type Files } from '../../src/engine/core/environment'
import type { OutboundRequest } from '../../src/engine/core/outbound'
import { credentialsByHost } from '../../src/engine/webhooks/kubeconfig'
import { configMap, sendRequest, testServer } from '../support/server'

const CONFIG = '/etc/admission.yaml'
const KUBECONFIG = '/etc/webhooks.kubeconfig'

const filesOf = (texts: Record<string, unknown>): Files => ({
  read(path) {
    const found = new Map(Object.entries(texts)).get(path)
    if (found === undefined) throw new FileError(path, 'no such file or directory')
    return typeof found === 'string' ? found : JSON.stringify(found)
  },
})

const users = (...names: string[]) => names.map((name) => ({ name, user: { token: `of ${name}` } }))

describe('the user of a host', () => {
  const byHost = (...names: string[]) =>
    credentialsByHost(
      KUBECONFIG,
      filesOf({ [KUBECONFIG]: { users: users(...names), contexts: [], 'current-context': '' } }),
    )

  it.each([
    ['a.b.c:443', ['a.b.c:443', 'a.b.c', '*'], 'a.b.c:443'],
    ['a.b.c:443', ['a.b.c', '*.b.c:443'], '*.b.c:443'],
    ['a.b.c:443', ['a.b.c', '*.b.c'], 'a.b.c'],
    ['a.b.c:443', ['*.c', '*.b.c'], '*.b.c'],
    ['a.b.c:8443', ['a.b.c', '*.c', '*'], '*'],
    ['a.b.c:8443', ['*.c:8443', '*'], '*.c:8443'],
    ['constructor:443', ['constructor'], 'constructor'],
    ['__proto__:443', ['x', '*'], '*'],
  ])('%s of %j is %s', (target, names, expected) => {
    expect(byHost(...names)(target)).toEqual({
      headers: { authorization: `Bearer of ${expected}` },
    })
  })

  it('is anonymous without a match, or the user of the current context', () => {
    expect(byHost('a.b')('c.d:443')).toEqual({ headers: {} })
    const withContext = credentialsByHost(
      KUBECONFIG,
      filesOf({
        [KUBECONFIG]: {
          users: [{ name: 'me', user: { username: 'u', password: 'p' } }],
          contexts: [{ name: 'x', context: { user: 'me' } }],
          'current-context': 'x',
        },
      }),
    )
    expect(withContext('c.d:443').headers).toEqual({ authorization: `Basic ${btoa('u:p')}` })
  })

  it('may have a certificate, in files next to the kubeconfig', () => {
    const user = { 'client-certificate': 'client.crt', 'client-key-data': btoa('KEY') }
    const find = credentialsByHost(
      KUBECONFIG,
      filesOf({
        [KUBECONFIG]: { users: [{ name: '*', user }] },
        '/etc/client.crt': 'CERTIFICATE',
      }),
    )
    expect(find('a:443')).toEqual({
      headers: {},
      identity: { certificate: 'CERTIFICATE', key: 'KEY' },
    })
  })
})

describe.each([
  ['ValidatingAdmissionWebhook', 'validatingwebhookconfigurations'],
  ['MutatingAdmissionWebhook', 'mutatingwebhookconfigurations'],
])('%s', (plugin, resource) => {
  const configured = (configuration: object, texts: Record<string, unknown> = {}) => {
    const requests: OutboundRequest[] = []
    const server = testServer({
      admissionControlConfigFile: CONFIG,
      files: filesOf({
        [CONFIG]: {
          apiVersion: 'apiserver.config.k8s.io/v1',
          kind: 'AdmissionConfiguration',
          plugins: [{ name: plugin, configuration }],
        },
        [KUBECONFIG]: { users: users('hooks.example.com', '*.default.svc:8443') },
        ...texts,
      }),
      outbound: {
        async post(request) {
          requests.push(request)
          const { uid } = JSON.parse(request.body).request
          const response = { uid, allowed: true }
          const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
          return { status: 200, contentType: 'application/json', body: JSON.stringify(review) }
        },
      },
    })
    return { server, requests }
  }
  const v1 = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'WebhookAdmissionConfiguration',
    kubeConfigFile: KUBECONFIG,
  }

  it.each([
    [v1],
    [{ ...v1, apiVersion: 'apiserver.config.k8s.io/v1alpha1', kind: 'WebhookAdmission' }],
  ])('authenticates to its webhooks: %o', async (configuration) => {
    const { server, requests } = configured(configuration)
    const hook = (name: string, clientConfig: object) => ({
      name,
      clientConfig,
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    })
    const service = { namespace: 'default', name: 'hooks', port: 8443 }
    await sendRequest(server, {
      method: 'POST',
      path: '/api/v1/namespaces/default/services',
      body: { metadata: { name: 'hooks' }, spec: { ports: [{ port: 8443 }] } },
    })
    const stored = await sendRequest(server, {
      method: 'POST',
      path: `/apis/admissionregistration.k8s.io/v1/${resource}`,
      body: {
        metadata: { name: 'hooks' },
        webhooks: [
          hook('a.example.com', { url: 'https://hooks.example.com/a' }),
          hook('b.example.com', { url: 'https://other.example.com/b' }),
          hook('c.example.com', { service }),
        ],
      },
    })
    expect(stored.status).toBe(201)
    const body = configMap('x')
    const path = '/api/v1/namespaces/default/configmaps'
    expect((await sendRequest(server, { method: 'POST', path, body })).status).toBe(201)
    const sent = requests.map(({ url, headers }) => [new URL(url).hostname, headers.authorization])
    expect(sent.sort()).toEqual([
      ['hooks.default.svc', 'Bearer of *.default.svc:8443'],
      ['hooks.example.com', 'Bearer of hooks.example.com'],
      ['other.example.com', undefined],
    ])
  })

  it.each<[object, string]>([
    [
      { ...v1, kubeConfigFile: 'relative' },
      'kubeConfigFile: Invalid value: "relative": must be an absolute file path',
    ],
    [{ ...v1, kubeConfigFile: '/etc/none' }, '/etc/none'],
    [
      { ...v1, kind: 'WebhookAdmission' },
      'no kind "WebhookAdmission" is registered for version "apiserver.config.k8s.io/v1"',
    ],
  ])('rejects %o', (configuration, message) => {
    expect(() => configured(configuration)).toThrow(message)
  })

  it('rejects a kubeconfig that is not an object', () => {
    expect(() => configured(v1, { [KUBECONFIG]: '[1]' })).toThrow('it is not a kubeconfig')
  })
})
