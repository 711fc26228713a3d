import { X509Certificate } from 'node:crypto'
import { request } from 'node:https'
import { describe, expect, it } from 'vitest'
import {
  type Identity,
  selfSignedCertificate,
  servingCertificate,
} from '../../src/hosts/node/certificate'
import { listen } from '../../src/hosts/node/listener'

describe('the certificate of the HTTPS port', () => {
  const now = Date.UTC(2026, 5, 1)
  const identity = servingCertificate('kubetab', now)
  const certificate = new X509Certificate(identity.cert)
  const authority = new X509Certificate(identity.authority)

  it('names the loopback interface, for server auth only, and is not a CA', () => {
    expect(certificate.subject).toBe('CN=kubetab')
    expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1')
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.ca).toBe(false)
  })

  it('is signed by its own CA, which is sent with it', () => {
    expect(authority.subject).toBe('CN=kubetab-ca')
    expect(authority.ca).toBe(true)
    expect(authority.verify(authority.publicKey)).toBe(true)
    expect(certificate.checkIssued(authority)).toBe(true)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect(identity.cert.endsWith(identity.authority)).toBe(true)
    expect(new X509Certificate(servingCertificate('kubetab', now).authority).fingerprint).not.toBe(
      authority.fingerprint,
    )
  })

  it('is valid for a year', () => {
    expect(Date.parse(certificate.validFrom)).toBe(now - 60_000)
    expect(Date.parse(certificate.validTo)).toBe(now + 365 * 24 * 3_600_000)
  })

  it('encodes years from 2050 on as GeneralizedTime', () => {
    const late = new X509Certificate(servingCertificate('kubetab', Date.UTC(2060, 0, 1)).cert)
    expect(new Date(late.validTo).getUTCFullYear()).toBe(2060)
  })

  it.each([
    ['its authority', servingCertificate('kubetab', Date.now())],
    ['it, where it is its own issuer', selfSignedCertificate('kubetab', Date.now())],
  ])('is accepted by a client that trusts %s, and by no other', async (_, identity: Identity) => {
    const listener = await listen(async () => ({ status: 200, headers: {}, body: 'secure' }), {
      port: 0,
      identity,
      report: () => {},
    })
    const sendRequest = (ca?: string) =>
      new Promise<string>((resolve, reject) =>
        request(listener.address, { ca, agent: false }, (response) =>
          response.on('data', (chunk) => resolve(String(chunk))),
        )
          .on('error', reject)
          .end(),
      )
    expect(await sendRequest(identity.authority ?? identity.cert)).toBe('secure')
    await expect(sendRequest()).rejects.toThrow('self-signed certificate')
    await listener.close()
  })
})
