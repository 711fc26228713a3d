/**
 * Parses and verifies client certificates, checked against certificates of Node's crypto module.
 */
import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { clientProblem } from '../../src/engine/authentication/certificates/chain'
import { newCertificateRequest } from '../../src/engine/authentication/certificates/request'
import { readCertificates } from '../../src/engine/authentication/certificates/x509'
import { readRequestSubject } from '../../src/engine/validation/certificate-request'
import { clientCertificate, selfSignedCertificate } from '../../src/hosts/node/certificate'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { quickSignatures } from './tokens-server'

const NOW = Date.UTC(2026, 0, 1)
const YEAR = 365 * 24 * 3_600_000
const authority = { commonName: 'clients', ...selfSignedCertificate('clients', NOW) }
const jane = clientCertificate(
  { commonName: 'jane', organizations: ['devs', 'ops'] },
  authority,
  NOW,
)

const problem = (presented: string, trusted: string, now = NOW) =>
  clientProblem(readCertificates(presented), readCertificates(trusted), {
    now,
    signatures: nodeSignatures,
  })

describe('a certificate', () => {
  it('contains subject, validity and public key', () => {
    const [own] = readCertificates(jane.cert)
    const known = new X509Certificate(jane.cert)
    expect(own?.subject).toEqual({ commonName: 'jane', organizations: ['devs', 'ops'] })
    expect(own?.notBefore).toBe(Date.parse(known.validFrom))
    expect(own?.notAfter).toBe(Date.parse(known.validTo))
    expect(own?.publicKey).toEqual(known.publicKey.export({ format: 'jwk' }))
    expect(own).toMatchObject({ isAuthority: false, algorithm: 'ES256' })
    expect(readCertificates(authority.cert)[0]?.isAuthority).toBe(true)
  })

  it.each([
    '',
    'no PEM at all',
    '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----',
    jane.cert.replace('MII', 'NII'),
  ])('is not parsed from other input', (text) => {
    expect(() => readCertificates(text)).toThrow(
      /x509: malformed certificate|does not contain any valid/,
    )
  })
})

describe('a client certificate', () => {
  it('is accepted when a trusted authority signed it', async () => {
    expect(await problem(jane.cert, authority.cert)).toBeUndefined()
  })

  it('is rejected when another authority of the same name signed it', async () => {
    const unknown = 'x509: certificate signed by unknown authority'
    expect(await problem(jane.cert, selfSignedCertificate('strangers', NOW).cert)).toBe(unknown)
    expect(await problem(jane.cert, selfSignedCertificate('clients', NOW).cert)).toBe(unknown)
    expect(await problem(selfSignedCertificate('jane', NOW).cert, authority.cert)).toBe(unknown)
  })

  it('is rejected when its issuer is not an authority', async () => {
    const friend = clientCertificate(
      { commonName: 'friend' },
      { commonName: 'jane', key: jane.key },
      NOW,
    )
    expect(await problem(friend.cert + jane.cert, authority.cert)).toBe(
      'x509: certificate signed by unknown authority',
    )
    expect(await problem(friend.cert, jane.cert)).toBe(
      'x509: certificate signed by unknown authority',
    )
  })

  it('is accepted only within its validity', async () => {
    expect(await problem(jane.cert, authority.cert, NOW + YEAR + 1000)).toBe(
      'x509: certificate has expired or is not yet valid: current time 2027-01-01T00:00:01Z is after 2027-01-01T00:00:00Z',
    )
    expect(await problem(jane.cert, authority.cert, NOW - 61_000)).toContain(
      'is before 2025-12-31T23:59:00Z',
    )
  })

  it('is rejected without the client auth usage', async () => {
    const [own] = readCertificates(jane.cert)
    if (own === undefined) expect.unreachable('there is one')
    const asServer = { ...own, usages: ['1.3.6.1.5.5.7.3.1'] }
    const found = clientProblem([asServer], readCertificates(authority.cert), {
      now: NOW,
      signatures: nodeSignatures,
    })
    expect(own.usages).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(await found).toBe('x509: certificate specifies an incompatible key usage')
  })

  it('is rejected when it was modified', async () => {
    const bytes = Buffer.from(jane.cert.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
    bytes.write('joan', bytes.indexOf('jane'))
    const forged = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----`
    expect(readCertificates(forged)[0]?.subject.commonName).toBe('joan')
    expect(await problem(forged, authority.cert)).toBe(
      'x509: certificate signed by unknown authority',
    )
  })
})

describe('a CertificateSigningRequest', () => {
  it.each([
    ['on a curve', quickSignatures],
    ['RSA', nodeSignatures],
  ])('contains the subject and is signed by its key (%s)', async (_, signatures) => {
    const { request, key } = await newCertificateRequest(
      { commonName: 'jane', organizations: ['devs'] },
      signatures,
    )
    expect(readRequestSubject(Buffer.from(request).toString('base64'))).toEqual({
      commonName: 'jane',
      organizations: ['devs'],
    })
    expect(key.d).not.toBe('')
  })
})
