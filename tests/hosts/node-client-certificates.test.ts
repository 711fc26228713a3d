/** Client certificates and the authenticating proxy, over real HTTPS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientCertificates } from '../../src/engine/authentication/client-certificate'
import type { ApiRequest } from '../../src/engine/http/messages'
import type { ApiServer } from '../../src/engine/server/server'
import {
  clientCertificate,
  type Identity,
  selfSignedCertificate,
} from '../../src/hosts/node/certificate'
import { clientAuthorities } from '../../src/hosts/node/client-certificates'
import { startEngine } from '../../src/hosts/node/engine'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { type Listener, listen } from '../../src/hosts/node/listener'
import { systemEnvironment } from '../../src/hosts/node/system'
import { AUTHORITY_BELOW, KIM, KIM_AS_SERVER } from './authority-below'

const now = Date.now()
const authority = (commonName: string) => ({
  commonName,
  ...selfSignedCertificate(commonName, now),
})
const clients = authority('clients')
const proxies = authority('proxies')
const strangers = authority('strangers')
const server = selfSignedCertificate('kubetab', now)
/** A trusted leaf certificate whose issuer is not trusted. */
const pinned = clientCertificate({ commonName: 'pinned' }, strangers, now)

const folder = mkdtempSync(join(tmpdir(), 'kubetab-certificates-'))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const FLAGS = [
  `--client-ca-file=${file('clients.pem', clients.cert + pinned.cert + AUTHORITY_BELOW)}`,
  `--requestheader-client-ca-file=${file('proxies.pem', proxies.cert)}`,
  '--requestheader-allowed-names=front',
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  '--controllers=off',
]

let engine: ApiServer
let listener: Listener
beforeAll(async () => {
  const flags = parseFlags(FLAGS)
  engine = await startEngine(flags, systemEnvironment)
  listener = await listen(engine.handle, {
    port: 0,
    identity: server,
    authorities: clientAuthorities(flags),
    report: () => {},
  })
})
afterAll(async () => {
  await listener.close()
  await engine.close()
  rmSync(folder, { recursive: true })
})

interface Who {
  status: number
  user?: { username: string; groups: string[]; extra?: Record<string, string[]> }
}

/** Returns the user of the request. */
function whoAmI(
  identity: Identity | undefined,
  headers: Record<string, string | string[]> = {},
): Promise<Who> {
  const options = {
    ca: server.cert,
    agent: false as const,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      `${listener.address}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      { ...options, ...(identity ? { key: identity.key, cert: identity.cert } : {}) },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, user: JSON.parse(text).status.userInfo }),
        )
      },
    )
    sent.on('error', reject)
    sent.end('{}')
  })
}

describe('a client certificate', () => {
  const jane = clientCertificate(
    { commonName: 'jane', organizations: ['developers', 'testers'] },
    clients,
    now,
  )

  it('maps its common name to the user and its organizations to groups', async () => {
    expect(await whoAmI(jane)).toEqual({
      status: 201,
      user: { username: 'jane', groups: ['developers', 'testers', 'system:authenticated'] },
    })
  })

  it('applies to every request of an HTTP/2 connection', async () => {
    const { key, cert } = jane
    const client = connect(listener.address, { ca: server.cert, key, cert })
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const responses = [1, 2].map(async () => {
      const stream = client.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/json',
      })
      stream.end('{}')
      let text = ''
      for await (const chunk of stream) text += chunk
      return JSON.parse(text).status.userInfo.username
    })
    expect(await Promise.all(responses)).toEqual(['jane', 'jane'])
    client.close()
  })

  it('grants the permissions of its groups', async () => {
    const root = clientCertificate(
      { commonName: 'root', organizations: ['system:masters'] },
      clients,
      now,
    )
    expect((await whoAmI(root, { 'impersonate-user': 'bob' })).user?.username).toBe('bob')
  })

  it('of an unknown CA is rejected', async () => {
    expect((await whoAmI(clientCertificate({ commonName: 'jane' }, strangers, now))).status).toBe(
      401,
    )
  })

  it('that is itself in the bundle needs no issuer', async () => {
    expect((await whoAmI(pinned)).user?.username).toBe('pinned')
  })

  it('of an intermediate CA below a trusted one is accepted with client auth usage', async () => {
    expect((await whoAmI(KIM)).user?.username).toBe('kim')
    expect((await whoAmI(KIM_AS_SERVER)).status).toBe(401)
  })

  it('that has expired is rejected', async () => {
    const old = clientCertificate({ commonName: 'jane' }, clients, now - 2 * 365 * 24 * 3_600_000)
    expect((await whoAmI(old)).status).toBe(401)
  })

  it('without a common name does not authenticate', () => {
    const certificate = {
      commonName: '',
      organizations: ['system:masters'],
      authorities: ['clients'] as const,
    }
    const request = { clientCertificate: () => certificate } as unknown as ApiRequest
    const authenticator = clientCertificates(
      { now: () => now, after: () => () => {} },
      { certificateLifetime() {} },
    )
    expect(
      authenticator.authenticate(request, { audiences: [], annotations: {}, warnings: [] }),
    ).toBeUndefined()
  })

  it('is optional: a token authenticates, even next to a rejected certificate', async () => {
    const token = { authorization: 'Bearer admin-token' }
    expect((await whoAmI(undefined, token)).user?.username).toBe('admin')
    expect(
      (await whoAmI(clientCertificate({ commonName: 'jane' }, strangers, now), token)).user
        ?.username,
    ).toBe('admin')
  })
})

describe('an authenticating proxy', () => {
  const front = clientCertificate({ commonName: 'front' }, proxies, now)

  it('passes the user in headers', async () => {
    const headers = {
      'X-Remote-User': 'jane',
      'X-Remote-Group': ['a', 'b'],
      'X-Remote-Extra-acme.com%2Fproject': 'p',
    }
    expect((await whoAmI(front, headers)).user).toEqual({
      username: 'jane',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'acme.com/project': ['p'] },
    })
  })

  it('must have an allowed name and a certificate of --requestheader-client-ca-file', async () => {
    const headers = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' }
    expect(
      (await whoAmI(clientCertificate({ commonName: 'back' }, proxies, now), headers)).status,
    ).toBe(401)
    expect(
      (await whoAmI(clientCertificate({ commonName: 'front' }, clients, now), headers)).user
        ?.username,
    ).toBe('front')
    expect((await whoAmI(undefined, headers)).status).toBe(403)
  })
})

it('A file without certificates is rejected', () => {
  const flags = parseFlags([`--client-ca-file=${file('empty.pem', 'nothing')}`])
  expect(() => clientAuthorities(flags)).toThrow(FlagError)
})
