/**
 * Authentication and authorization in a browser: client certificates, settings, and permission
 * queries.
 */
import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { publicKey } from '../../src/engine/authentication/service-accounts/keys'
import type { AccessSettings } from '../../src/hosts/shared/access-settings'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import type { ChannelRequest, ChannelRequests } from '../../src/hosts/shared/channel'
import { FIRST_SETTINGS } from '../../src/hosts/shared/engine-settings'
import { CLAIMS, configurationFile, ISSUER, newKey, tokenOf } from '../authentication/jwt-provider'
import { quickSignatures } from '../authentication/tokens-server'

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'

let made = 0
function browser() {
  const engine = new BrowserEngine({
    databaseName: `access-${made++}`,
    signatures: quickSignatures,
  })
  const send = async (
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: object,
  ) => {
    const given = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      ...headers,
    }
    const response = await engine.fetch(
      new Request('http://localhost/', {
        method,
        headers: given,
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
      target,
    )
    return { status: response.status, json: await response.json() }
  }
  const sendRequest = async <Kind extends keyof ChannelRequests>(
    kind: Kind,
    requested: ChannelRequests[Kind]['request'],
  ) => {
    const result = await engine.respond({ kind, request: requested } as ChannelRequest)
    if (!result.ok) throw new Error(result.message)
    return result.response as ChannelRequests[Kind]['response']
  }
  const configure = (access: Partial<AccessSettings>) =>
    sendRequest('configure', { access: { ...FIRST_SETTINGS.access, ...access } })
  return {
    engine,
    send,
    sendRequest,
    configure,
    admin: { authorization: 'Bearer admin-token' },
    alice: { authorization: 'Bearer alice-token' },
  }
}

type Browser = ReturnType<typeof browser>

async function issued({ send, sendRequest, admin }: Browser): Promise<string> {
  const { request } = await sendRequest('certificateRequest', {
    commonName: 'jane',
    organizations: ['devs'],
  })
  const spec = {
    request: btoa(request),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
  }
  const body = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'jane' },
    spec,
  }
  const created = await send('POST', REQUESTS, admin, body)
  expect(created.status, JSON.stringify(created.json)).toBe(201)
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }]
  await send('PATCH', `${REQUESTS}/jane/approval`, admin, { status: { conditions } })
  for (;;) {
    const { json } = await send('GET', `${REQUESTS}/jane`, admin)
    if (json.status.certificate) return atob(json.status.certificate)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const showing = (pem: string) => ({ 'x-kubetab-client-certificate': encodeURIComponent(pem) })

describe('a client certificate in the tab', () => {
  it('is requested, approved and issued, and authenticates its user', async () => {
    const tab = browser()
    const pem = await issued(tab)
    const { status, json } = await tab.send('POST', WHO, showing(pem), {})
    expect(status).toBe(201)
    expect(json.status.userInfo).toMatchObject({
      username: 'jane',
      groups: ['devs', 'system:authenticated'],
    })
  })

  it('is rejected when malformed or signed by another cluster', async () => {
    const tab = browser()
    const strange = await issued(browser())
    for (const pem of ['nonsense', '%', strange])
      expect((await tab.send('POST', WHO, showing(pem), {})).status).toBe(401)
  })
})

describe('access settings', () => {
  it('change the authorization modes, and keep the data', async () => {
    const tab = browser()
    await tab.send('POST', '/api/v1/namespaces', tab.admin, { metadata: { name: 'kept' } })
    expect((await tab.send('GET', '/api/v1/namespaces/kept', tab.alice)).status).toBe(403)
    await tab.configure({ authorization: { modes: ['AlwaysAllow'] } })
    expect((await tab.send('GET', '/api/v1/namespaces/kept', tab.alice)).status).toBe(200)
  })

  it('accept policies and configurations as texts, under the paths of the flags', async () => {
    const tab = browser()
    const policy = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy' }
    const files = {
      '/policies': JSON.stringify({
        ...policy,
        spec: { user: 'alice', apiGroup: '*', resource: 'pods', namespace: '*' },
      }),
    }
    await tab.configure({ files, authorization: { modes: ['ABAC'], policyFile: '/policies' } })
    expect((await tab.send('GET', '/api/v1/pods', tab.alice)).status).toBe(200)
    expect((await tab.send('GET', '/api/v1/secrets', tab.alice)).status).toBe(403)
    const text =
      'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthorizationConfiguration\nauthorizers: [{type: RBAC, name: rbac}]'
    await tab.configure({
      files: { '/authorization.yaml': text },
      authorization: { configFile: '/authorization.yaml' },
    })
    expect(await tab.sendRequest('accessAuthorizers', undefined)).toEqual([
      { type: 'Superusers', name: 'system:masters' },
      { type: 'RBAC', name: 'rbac' },
    ])
  })

  it.each<[string, Partial<AccessSettings>, string]>([
    [
      'a mode that is none',
      { authorization: { modes: ['Missing'] } },
      'authorization-mode "Missing" is not a valid mode',
    ],
    [
      'a file that is not there',
      { authorization: { configFile: '/x' } },
      'open /x: no such file or directory',
    ],
    [
      'a file and modes',
      { files: { '/x': '' }, authorization: { configFile: '/x', modes: ['RBAC'] } },
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    ],
    [
      'a token file with too few columns',
      { files: { '/t': 'a,b' }, tokenFile: '/t' },
      'must have at least 3 columns (token, user name, user uid)',
    ],
  ])(
    'reject %s as kube-apiserver would at its start, which goes on as it was',
    async (_, access, message) => {
      const tab = browser()
      await expect(tab.configure(access)).rejects.toThrow(message)
      expect((await tab.send('GET', '/api/v1/namespaces', tab.admin)).status).toBe(200)
    },
  )

  it('accept ID tokens of an issuer with given keys, by AuthenticationConfiguration', async () => {
    const tab = browser()
    const key = newKey()
    const claimMappings = { username: { expression: "claims.sub + '@tab'" } }
    const files = {
      '/authentication': configurationFile({
        issuer: { url: ISSUER, audiences: ['kubetab'] },
        claimMappings,
      }),
    }
    const keySets = { [ISSUER]: JSON.stringify({ keys: [publicKey(key)] }) }
    await tab.configure({ files, authenticationConfig: '/authentication', keySets })
    const token = await tokenOf({ ...CLAIMS, exp: Date.now() / 1000 + 60 }, key)
    const { json } = await tab.send('POST', WHO, { authorization: `Bearer ${token}` }, {})
    expect(json.status.userInfo).toMatchObject({
      username: 'jane@tab',
      groups: ['system:authenticated'],
    })
    await expect(
      tab.configure({
        files: { '/authentication': '{}' },
        authenticationConfig: '/authentication',
      }),
    ).rejects.toThrow("Object 'Kind' is missing")
  })

  it('add users, and switch anonymous requests on or off', async () => {
    const tab = browser()
    await tab.configure({
      files: { '/t': 'dora-token,dora,u-dora,"devs"' },
      tokenFile: '/t',
      anonymousAuth: false,
    })
    const { json } = await tab.send('POST', WHO, { authorization: 'Bearer dora-token' }, {})
    expect(json.status.userInfo).toMatchObject({
      username: 'dora',
      groups: ['devs', 'system:authenticated'],
    })
    expect((await tab.send('GET', '/version', {})).status).toBe(401)
    expect((await tab.send('GET', '/version', tab.alice)).status).toBe(200)
  })
})

describe('permission queries', () => {
  it('cover all served resources', async () => {
    const tab = browser()
    const { rows } = await tab.sendRequest('accessMatrix', {
      subject: { kind: 'User', name: 'alice' },
      namespace: 'default',
    })
    const names = rows.map(({ resource }) => `${resource.group}/${resource.resource}`)
    expect(names).toEqual(
      expect.arrayContaining(['/pods', '/pods/log', 'apps/deployments', 'apps/deployments/scale']),
    )
    expect(new Set(names).size).toBe(names.length)
    const reviews = rows.find(({ resource }) => resource.resource === 'selfsubjectaccessreviews')
    expect(reviews?.cells.map(({ outcome }) => outcome)).toContain('allowed')
  })

  it('create roles from traces and audit events', async () => {
    const tab = browser()
    await tab.send('GET', '/api/v1/namespaces/default/configmaps/c', tab.alice)
    await tab.send('GET', '/api/v1/namespaces/default/pods', tab.alice)
    const traces = (await tab.sendRequest('traces', undefined)).items.filter(
      ({ user }) => user?.name === 'alice',
    )
    const requests = traces.flatMap(({ attributes }) => attributes ?? [])
    const rules = [
      { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['c'] },
      { verbs: ['list'], apiGroups: [''], resources: ['pods'] },
    ]
    expect(await tab.sendRequest('accessLeastRoles', { requests, names: true })).toEqual([
      { namespace: 'default', rules },
    ])
    const events = (await tab.sendRequest('audit', undefined)).items.filter(
      ({ user }) => (user as { username?: string }).username === 'alice',
    )
    expect(
      await tab.sendRequest('accessLeastRoles', { requests: [], events, names: true }),
    ).toEqual([{ namespace: 'default', rules }])
    expect(
      await tab.sendRequest('accessStillDenied', {
        rules: [],
        namespace: 'default',
        requests: [],
        events,
      }),
    ).toHaveLength(2)
  })
})
