import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { clientCertificate, selfSignedCertificate } from '../../src/hosts/node/certificate'
import { checkServerName } from '../../src/hosts/node/server-name'

const AUTHORITY = selfSignedCertificate('hook', Date.now())
const NAMELESS = clientCertificate(
  { commonName: 'hook' },
  { commonName: 'hook', key: AUTHORITY.key },
  Date.now(),
)
const checked = (host: string, { cert }: { cert: string }) =>
  checkServerName(host, new X509Certificate(cert).toLegacyObject() as never)

it.each(['localhost', '127.0.0.1'])('a certificate for %s is valid', (host) => {
  expect(checked(host, AUTHORITY)).toBeUndefined()
})

it('a certificate is rejected for other names', () => {
  expect(checked('other', AUTHORITY)?.message).toBe('certificate is valid for localhost, not other')
})

it.each([
  ['hook', 'certificate relies on legacy Common Name field, use SANs instead'],
  ['other', 'certificate is not valid for any names, but wanted to match other'],
  ['10.0.0.1', "cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs"],
])('a certificate without names is rejected for %s', (host, message) => {
  expect(checked(host, NAMELESS)).toMatchObject({ message, code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})
