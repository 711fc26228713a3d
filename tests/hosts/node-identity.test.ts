/** The serving certificate of the HTTPS port: `--tls-cert-file` and `--tls-private-key-file`. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { configuredIdentity, serviceAccountKeys, servingIdentity } from '../../src/hosts/node/keys'

const folder = mkdtempSync(join(tmpdir(), 'kubetab-identity-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const own = selfSignedCertificate('server', Date.now())
const [certificate, key] = [file('cert.pem', own.cert), file('key.pem', own.key)]
const other = file('other.pem', selfSignedCertificate('other', Date.now()).key)

describe('the serving certificate', () => {
  it('is read from the files, or unset', () => {
    expect(
      configuredIdentity(
        parseFlags([`--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`]),
      ),
    ).toEqual(own)
    expect(configuredIdentity(parseFlags([]))).toBeUndefined()
  })

  it('requires both files, and a matching pair', () => {
    expect(() => configuredIdentity(parseFlags([`--tls-cert-file=${certificate}`]))).toThrow(
      FlagError,
    )
    expect(() =>
      configuredIdentity(
        parseFlags([`--tls-cert-file=${certificate}`, `--tls-private-key-file=${other}`]),
      ),
    ).toThrow(FlagError)
    expect(() =>
      configuredIdentity(parseFlags(['--tls-cert-file=/none', '--tls-private-key-file=/none'])),
    ).toThrow('/none')
  })

  it('is otherwise stored in --cert-dir, or generated in memory', () => {
    const flags = parseFlags([`--cert-dir=${join(folder, 'certs')}`])
    const first = servingIdentity(flags, Date.now())
    expect(servingIdentity(flags, Date.now())).toMatchObject({ cert: first.cert, key: first.key })
    writeFileSync(join(folder, 'certs/apiserver.crt'), own.cert)
    writeFileSync(join(folder, 'certs/apiserver.key'), own.key)
    expect(servingIdentity(flags, Date.now())).toEqual(own)
    writeFileSync(join(folder, 'certs/apiserver.key'), 'nothing')
    expect(() => servingIdentity(flags, Date.now())).toThrow('--cert-dir: ')
    expect(servingIdentity(parseFlags([]), Date.now()).cert).not.toBe(
      servingIdentity(parseFlags([]), Date.now()).cert,
    )
    const given = [
      `--tls-cert-file=${certificate}`,
      `--tls-private-key-file=${key}`,
      '--cert-dir=/none',
    ]
    expect(servingIdentity(parseFlags(given), Date.now())).toEqual(own)
  })

  it('verifies service account tokens where no other key is given', () => {
    const { checkingKeys } = serviceAccountKeys(
      parseFlags([`--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`]),
    )
    expect(checkingKeys).toMatchObject([{ kty: 'EC', crv: 'P-256' }])
    expect(checkingKeys?.[0]).not.toHaveProperty('d')
    const odd = file(
      'odd.pem',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    )
    expect(serviceAccountKeys(parseFlags([`--tls-private-key-file=${odd}`]))).toEqual({})
  })
})
