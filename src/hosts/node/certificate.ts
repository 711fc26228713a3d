/**
 * X.509 certificates for 127.0.0.1 and localhost, and of clients: DER (X.690) of RFC 5280, ECDSA
 * over P-256 (RFC 5480, RFC 5758). kubectl sends credentials over HTTPS alone.
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'

export interface Identity {
  /** PEM. */
  key: string
  /** PEM, followed by its issuers. */
  cert: string
  /** The CA to trust, in PEM; absent if self-signed. */
  authority?: string
}

/** An uncompressed point of P-256. */
const POINT_BYTES = 65
const VALID_MILLISECONDS = 365 * 24 * 3_600_000

/** Tags of X.690, section 8. */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
}
/** In DER. */
const OID = {
  commonName: '550403',
  organization: '55040a',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  subjectKeyIdentifier: '551d0e',
  authorityKeyIdentifier: '551d23',
  subjectAltName: '551d11',
  extendedKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
  ecdsaWithSha256: '2a8648ce3d040302',
}
/** GeneralName (RFC 5280, section 4.2.1.6). */
const NAME = { dns: 0x82, address: 0x87 }
/** KeyUsage (RFC 5280, section 4.2.1.3), highest bit first. */
const USAGE = { digitalSignature: 0x80, keyCertSign: 0x04 }

type Keys = { publicKey: KeyObject; privateKey: KeyObject }
const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/**
 * Issues a serving certificate and its single-use CA. A self-signed one would be a CA, which strict
 * clients reject as a server certificate.
 * @param now milliseconds since the epoch; valid from a minute earlier, for a year
 */
export function servingCertificate(commonName: string, now: number): Required<Identity> {
  const issuer = { commonName: `${commonName}-ca`, keys: newKeys() }
  const authority = issued(
    { ...issuer, now, extensions: ofAuthority(issuer.keys) },
    { ...issuer, ...issuer.keys },
  ).cert
  const keys = newKeys()
  const extensions = [
    extension(OID.basicConstraints, { critical: true, value: der(TAG.sequence) }),
    keyUsage(USAGE.digitalSignature),
    extendedUsage(OID.serverAuth),
    authorityKey(issuer.keys),
    subjectKey(keys),
    localNames(),
  ]
  const { key, cert } = issued({ commonName, keys, now, extensions }, { ...issuer, ...issuer.keys })
  return { key, cert: cert + authority, authority }
}

/** @param now milliseconds since the epoch; valid from a minute earlier, for a year */
export function selfSignedCertificate(commonName: string, now: number): Identity {
  const keys = newKeys()
  return issued(
    { commonName, keys, now, extensions: [...ofAuthority(keys), localNames()] },
    { commonName, ...keys },
  )
}

/** @param issuer common name and key of the signing CA */
export function clientCertificate(
  subject: { commonName: string; organizations?: readonly string[] },
  issuer: { commonName: string; key: string },
  now: number,
): Identity {
  return issued(
    { ...subject, keys: newKeys(), now, extensions: [extendedUsage(OID.clientAuth)] },
    { ...issuer, privateKey: createPrivateKey(issuer.key) },
  )
}

interface Holder {
  commonName: string
  organizations?: readonly string[]
  keys: Keys
  now: number
  extensions: Buffer[]
}

function issued(holder: Holder, issuer: { commonName: string; privateKey: KeyObject }): Identity {
  const { keys, now } = holder
  const algorithm = der(TAG.sequence, objectIdentifier(OID.ecdsaWithSha256))
  const validity = der(TAG.sequence, time(now - 60_000), time(now + VALID_MILLISECONDS))
  const version3 = der(0xa0, der(TAG.integer, Buffer.from([2])))
  const publicKeyInfo = keys.publicKey.export({ type: 'spki', format: 'der' })
  const extensions = der(0xa3, der(TAG.sequence, ...holder.extensions))
  const serial = der(TAG.integer, serialNumber())
  const body = der(
    TAG.sequence,
    version3,
    serial,
    algorithm,
    nameOf(issuer),
    validity,
    nameOf(holder),
    publicKeyInfo,
    extensions,
  )
  const certificate = der(
    TAG.sequence,
    body,
    algorithm,
    der(TAG.bitString, Buffer.from([0]), sign('sha256', body, issuer.privateKey)),
  )
  return {
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  }
}

function nameOf({
  commonName,
  organizations = [],
}: Pick<Holder, 'commonName' | 'organizations'>): Buffer {
  const part = (type: string, value: string) =>
    der(TAG.set, der(TAG.sequence, objectIdentifier(type), der(TAG.utf8, Buffer.from(value))))
  return der(
    TAG.sequence,
    ...organizations.map((value) => part(OID.organization, value)),
    part(OID.commonName, commonName),
  )
}

const ofAuthority = (keys: Keys): Buffer[] => [
  extension(OID.basicConstraints, {
    critical: true,
    value: der(TAG.sequence, der(TAG.boolean, Buffer.from([0xff]))),
  }),
  keyUsage(USAGE.digitalSignature | USAGE.keyCertSign),
  subjectKey(keys),
]

function keyUsage(bits: number): Buffer {
  const unused = Math.clz32(bits & -bits) ^ 31
  return extension(OID.keyUsage, {
    critical: true,
    value: der(TAG.bitString, Buffer.from([unused, bits])),
  })
}

const extendedUsage = (purpose: string): Buffer =>
  extension(OID.extendedKeyUsage, {
    critical: false,
    value: der(TAG.sequence, objectIdentifier(purpose)),
  })

const subjectKey = (keys: Keys): Buffer =>
  extension(OID.subjectKeyIdentifier, {
    critical: false,
    value: der(TAG.octetString, identifierOf(keys)),
  })

const authorityKey = (keys: Keys): Buffer =>
  extension(OID.authorityKeyIdentifier, {
    critical: false,
    value: der(TAG.sequence, der(0x80, identifierOf(keys))),
  })

/** SHA-1 of the public key's bits, which end its SPKI encoding (RFC 5280, section 4.2.1.2). */
function identifierOf({ publicKey }: Keys): Buffer {
  const bits = publicKey.export({ type: 'spki', format: 'der' }).subarray(-POINT_BYTES)
  return createHash('sha1').update(bits).digest()
}

function localNames(): Buffer {
  const names = der(
    TAG.sequence,
    der(NAME.dns, Buffer.from('localhost')),
    der(NAME.address, Buffer.from([127, 0, 0, 1])),
  )
  return extension(OID.subjectAltName, { critical: false, value: names })
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length: number[] = []
  for (let rest = content.length; rest > 0; rest >>= 8) length.unshift(rest & 0xff)
  const prefix = content.length < 0x80 ? [content.length] : [0x80 | length.length, ...length]
  return Buffer.concat([Buffer.from([tag, ...prefix]), content])
}

const objectIdentifier = (encoded: string) => der(TAG.objectIdentifier, Buffer.from(encoded, 'hex'))

function extension(id: string, { critical, value }: { critical: boolean; value: Buffer }): Buffer {
  const flag = critical ? [der(TAG.boolean, Buffer.from([0xff]))] : []
  return der(TAG.sequence, objectIdentifier(id), ...flag, der(TAG.octetString, value))
}

/** UTCTime up to 2049 (RFC 5280, section 4.1.2.5). */
function time(milliseconds: number): Buffer {
  const digits = `${new Date(milliseconds).toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return digits < '2050'
    ? der(TAG.utcTime, Buffer.from(digits.slice(2)))
    : der(TAG.generalizedTime, Buffer.from(digits))
}

/** Sixteen random bytes of a positive DER integer without leading zeros. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40
  return bytes
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
