/** PEM texts (RFC 7468) as Go's TLS package reads a certificate and its key; messages recorded or from its public documentation. */

interface Block {
  label: string
}

const BLOCK = /-----BEGIN ([^\n]*?)-----[ \t\r]*\n([\s\S]*?)\n?-----END \1-----/g
const BODY = /^[A-Za-z0-9+/=\s]*$/

function blocksOf(text: string): Block[] {
  const found: Block[] = []
  for (const [, label = '', body = ''] of text.matchAll(BLOCK)) {
    const [, rest = body] = /^(?:[^\n:]+:[^\n]*\n)+\n([\s\S]*)$/.exec(body) ?? []
    if (BODY.test(rest)) found.push({ label })
  }
  return found
}

const listed = (blocks: Block[]): string => `[${blocks.map(({ label }) => label).join(' ')}]`
const isKey = ({ label }: Block): boolean => label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY')

/** Why the two texts are no certificate with its key, as far as their PEM blocks tell; undefined if they may be. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const certificates = blocksOf(certificate)
  if (certificates.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (!certificates.some(({ label }) => label === 'CERTIFICATE')) {
    if (certificates.length === 1 && certificates.every(({ label }) => label.endsWith('PRIVATE KEY')))
      return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${listed(certificates)}`
  }
  const keys = blocksOf(key)
  if (keys.some(isKey)) return undefined
  if (keys.length === 0) return 'tls: failed to find any PEM data in key input'
  if (keys.length === 1 && keys[0]?.label === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key'
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${listed(keys)}`
}
