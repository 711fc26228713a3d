import { X509Certificate } from 'node:crypto'
import { request } from 'node:https'
import { describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { listen } from '../../src/hosts/node/listener'

describe('the certificate of the HTTPS port', () => {
  const now = Date.UTC(2026, 5, 1)
  const certificate = new X509Certificate(selfSignedCertificate('kubetab', now).cert)

  it('names the loopback interface and is signed by its own key', () => {
    expect(certificate.subject).toBe('CN=kubetab')
    expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1')
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.ca).toBe(true)
  })

  it('is valid for a year', () => {
    expect(Date.parse(certificate.validFrom)).toBe(now - 60_000)
    expect(Date.parse(certificate.validTo)).toBe(now + 365 * 24 * 3_600_000)
  })

  it('writes years from 2050 on in full', () => {
    const late = new X509Certificate(selfSignedCertificate('kubetab', Date.UTC(2060, 0, 1)).cert)
    expect(new Date(late.validTo).getUTCFullYear()).toBe(2060)
  })

  it('is accepted by a client that trusts it, and by no other', async () => {
    const identity = selfSignedCertificate('kubetab', Date.now())
    const listener = await listen(async () => ({ status: 200, headers: {}, body: 'secure' }), { port: 0, identity, report: () => {} })
    const ask = (ca?: string) =>
      new Promise<string>((resolve, reject) =>
        request(listener.address, { ca, agent: false }, (answer) => answer.on('data', (chunk) => resolve(String(chunk))))
          .on('error', reject)
          .end(),
      )
    expect(await ask(identity.cert)).toBe('secure')
    await expect(ask()).rejects.toThrow('self-signed certificate')
    await listener.close()
  })
})
