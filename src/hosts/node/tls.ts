/** `--tls-min-version`, `--tls-cipher-suites` */

import { getCiphers, type SecureContextOptions } from 'node:tls'
import { entryOf } from '../../engine/core/object'
import { FlagError, type Flags } from './flags'

const VERSIONS: Readonly<Record<string, 'TLSv1.2' | 'TLSv1.3'>> = {
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
}
/** Not configurable, as in Go's crypto/tls. */
const OF_VERSION_13 = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
]

/** @throws FlagError */
export function tlsOf(flags: Flags): Pick<SecureContextOptions, 'minVersion' | 'ciphers'> {
  const { 'tls-min-version': version, 'tls-cipher-suites': suites } = flags
  const minVersion = entryOf(VERSIONS, version)
  if (minVersion === undefined)
    throw new FlagError(
      `--tls-min-version=${version} is not spoken here, only ${Object.keys(VERSIONS).join(' and ')}`,
    )
  if (suites.length === 0) return { minVersion }
  const known = new Set(getCiphers().map((name) => name.toUpperCase()))
  const older = suites.filter((suite) => !OF_VERSION_13.includes(suite))
  const unknown = older.find((suite) => !known.has(systemName(suite)))
  if (unknown !== undefined)
    throw new FlagError(`--tls-cipher-suites: ${unknown} is not spoken here`)
  return { minVersion, ciphers: [...OF_VERSION_13, ...older.map(systemName)].join(':') }
}

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is OpenSSL's `ECDHE-RSA-AES128-GCM-SHA256`. */
const systemName = (suite: string): string =>
  suite
    .replace(/^TLS_(RSA_WITH_)?/, '')
    .replace('_WITH_', '_')
    .replace('_CBC_', '_')
    .replace(/AES_(\d+)/, 'AES$1')
    .replace(/(CHACHA20_POLY1305)_SHA256$/, '$1')
    .replaceAll('_', '-')
