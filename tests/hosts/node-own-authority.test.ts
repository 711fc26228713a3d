/**
 * Client certificates signed by the server's own CA, over real HTTPS. The server trusts them where
 * no flag names another CA.
 */
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newCertificateRequest } from '../../src/engine/authentication/certificates/request'
import type { ApiServer } from '../../src/engine/server/server'
import {
  clientCertificate,
  type Identity,
  selfSignedCertificate,
} from '../../src/hosts/node/certificate'
import { clientAuthorities, trustsOwnAuthority } from '../../src/hosts/node/client-certificates'
import { startEngine } from '../../src/hosts/node/engine'
import { parseFlags } from '../../src/hosts/node/flags'
import { type Listener, listen } from '../../src/hosts/node/listener'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { systemEnvironment } from '../../src/hosts/node/system'

const now = Date.now()
const shown = selfSignedCertificate('kubetab', now)
const strangers = { commonName: 'strangers', ...selfSignedCertificate('strangers', now) }
const folder = mkdtempSync(join(tmpdir(), 'kubetab-authority-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

interface TestResponse {
  status: number
  json: {
    status?: { userInfo?: { username: string; groups: string[] }; certificate?: string }
    data?: Record<string, string>
    message?: string
  }
}

/** An HTTPS server with a client for it. */
async function serving(...given: string[]) {
  const flags = parseFlags(['--secure-port=0', ...given])
  const engine: ApiServer = await startEngine(flags, systemEnvironment)
  const authorities = clientAuthorities(flags)
  const listener: Listener = await listen(engine.handle, {
    port: 0,
    identity: shown,
    authorities,
    report: () => {},
  })
  const send = (
    method: string,
    path: string,
    body?: object,
    identity?: Identity,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> => {
    const proof = identity ? { key: identity.key, cert: identity.cert } : {}
    const patch = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const options = {
      ca: shown.cert,
      agent: false as const,
      method,
      headers: { 'content-type': patch, ...headers },
      ...proof,
    }
    return new Promise((resolve, reject) => {
      const sent = request(listener.address + path, options, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) })
      })
      sent.on('error', reject)
      sent.end(body && JSON.stringify(body))
    })
  }
  const admin = (method: string, path: string, body?: object) =>
    send(method, path, body, undefined, { authorization: 'Bearer admin-token' })
  const whoAmI = (identity?: Identity, headers?: Record<string, string>) =>
    send('POST', WHO, {}, identity, headers)
  const close = async () => {
    await listener.close()
    await engine.close()
  }
  return { listener, admin, whoAmI, close }
}

type Serving = Awaited<ReturnType<typeof serving>>
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'

/** Requests a certificate, approves it, and waits until it is issued. */
async function issued(
  { admin }: Serving,
  signer: string,
  commonName: string,
  organizations: string[],
  usages: string[],
): Promise<Identity> {
  const { request: requested, key } = await newCertificateRequest(
    { commonName, organizations },
    nodeSignatures,
  )
  const name = commonName.replaceAll(':', '-')
  const spec = { request: btoa(requested), signerName: `kubernetes.io/${signer}`, usages }
  const object = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec,
  }
  expect((await admin('POST', REQUESTS, object)).status).toBe(201)
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }]
  await admin('PATCH', `${REQUESTS}/${name}/approval`, { status: { conditions } })
  const certificate = await vi.waitFor(
    async () => {
      const { status } = (await admin('GET', `${REQUESTS}/${name}`)).json
      if (status?.certificate === undefined) throw new Error('not issued yet')
      return status.certificate
    },
    { timeout: 10_000 },
  )
  const privateKey = createPrivateKey({ key: { ...key }, format: 'jwk' }).export({
    type: 'pkcs8',
    format: 'pem',
  })
  return { key: privateKey.toString(), cert: atob(certificate) }
}

const PUBLISHED = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'

describe('without a client CA flag', () => {
  let server: Serving
  beforeAll(async () => {
    server = await serving()
  })
  afterAll(() => server.close())

  it('the common name of a certificate is the user, organizations are groups', async () => {
    const jane = await issued(
      server,
      'kube-apiserver-client',
      'jane',
      ['developers', 'testers'],
      ['client auth'],
    )
    // The organizations of a name are a set, ordered by their DER encodings (X.690, section 11.6).
    const user = { username: 'jane', groups: ['testers', 'developers', 'system:authenticated'] }
    expect((await server.whoAmI(jane)).json.status?.userInfo).toEqual(user)
    const { key, cert } = jane
    const client = connect(server.listener.address, { ca: shown.cert, key, cert })
    const stream = client.request({
      ':method': 'POST',
      ':path': WHO,
      'content-type': 'application/json',
    })
    stream.end('{}')
    let text = ''
    for await (const chunk of stream) text += chunk
    expect(JSON.parse(text).status.userInfo).toEqual(user)
    client.close()
  })

  it('a certificate of another CA is rejected, unless the request has a token', async () => {
    const stranger = clientCertificate(
      { commonName: 'jane', organizations: ['system:masters'] },
      strangers,
      now,
    )
    expect((await server.whoAmI(stranger)).status).toBe(401)
    const neighbor = await server.whoAmI(stranger, { authorization: 'Bearer admin-token' })
    expect(neighbor.json.status?.userInfo?.username).toBe('admin')
    const pretending = { commonName: 'kubernetes', ...selfSignedCertificate('kubernetes', now) }
    expect(
      (await server.whoAmI(clientCertificate({ commonName: 'jane' }, pretending, now))).status,
    ).toBe(401)
  })

  it('certificates are optional, and one in a header is ignored', async () => {
    expect((await server.whoAmI()).json.message).toContain('system:anonymous')
    const headers = { 'x-kubetab-client-certificate': encodeURIComponent(strangers.cert) }
    expect((await server.whoAmI(undefined, headers)).json.message).toContain('system:anonymous')
  })

  it('aggregated servers find the CA in extension-apiserver-authentication', async () => {
    const { data } = (await server.admin('GET', PUBLISHED)).json
    const root = await server.admin('GET', '/api/v1/namespaces/default/configmaps/kube-root-ca.crt')
    expect(data).toEqual({ 'client-ca-file': root.json.data?.['ca.crt'] })
  })
})

it("--client-ca-file replaces the server's own CA", async () => {
  expect(trustsOwnAuthority(parseFlags([]))).toBe(false)
  const named = `--client-ca-file=${file('clients.pem', strangers.cert)}`
  const server = await serving(named)
  try {
    const jane = await issued(server, 'kube-apiserver-client', 'jane', [], ['client auth'])
    expect((await server.whoAmI(jane)).status).toBe(401)
    const known = clientCertificate({ commonName: 'kim' }, strangers, now)
    expect((await server.whoAmI(known)).json.status?.userInfo?.username).toBe('kim')
    expect((await server.admin('GET', PUBLISHED)).json.data).toEqual({
      'client-ca-file': strangers.cert,
    })
  } finally {
    await server.close()
  }
})
