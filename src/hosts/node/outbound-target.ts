/** Where requests go, and on whose connections. */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { PassedRequest } from '../../engine/core/outbound'
import { memoize } from '../../engine/schema/memoize'
import type { Target } from './outbound-exchange'
import { checkServerName } from './server-name'
import { trusting } from './trust'

type Addressed = Pick<
  PassedRequest,
  'connectTo' | 'certificates' | 'identity' | 'serverName' | 'insecure'
>

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Characters of the longest certificates whose digest is cached, and the number of these. */
const LONGEST = 64 * 1024
const MOST_DIGESTS = 100
const cachedDigest = memoize(digestOf, LONGEST, MOST_DIGESTS)

/** @param url the address that the request names; `connectTo` is where it goes */
export function targetOf(
  url: URL,
  { connectTo, certificates, identity, serverName, insecure }: Addressed,
): Target {
  const address =
    connectTo === undefined
      ? url
      : new URL(connectTo.includes('://') ? connectTo : `${url.protocol}//${connectTo}`)
  const secure = address.protocol === 'https:'
  const hostname = unbracketed(url.hostname)
  const host = unbracketed(address.hostname)
  const port = Number(address.port) || (secure ? 443 : 80)
  const servername = serverName ?? (connectTo === undefined && isIP(hostname) !== 0 ? '' : hostname)
  return {
    name: [
      address.protocol,
      host,
      port,
      servername,
      certificates === undefined ? '' : cachedDigest(certificates),
      identity === undefined ? '' : digestOf(identity.certificate + identity.key),
      insecure === true,
    ].join(' '),
    secure,
    host,
    port,
    servername,
    tls: {
      checkServerIdentity: checkServerName,
      ...(certificates === undefined ? {} : trusting(certificates)),
      ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.key }),
      ...(insecure ? { rejectUnauthorized: false } : {}),
    },
  }
}

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
