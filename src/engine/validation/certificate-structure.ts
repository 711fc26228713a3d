/**
 * Checks a certificate (RFC 5280, section 4.1) in the order of `parseCertificate` in Go's
 * crypto/x509, except names, times, keys and extensions.
 */

const TAG = { integer: 0x02, bits: 0x03, sequence: 0x30, version: 0xa0 }
const LATEST_VERSION = 2

/** DER: X.690. */
class DerReader {
  constructor(
    private readonly bytes: Uint8Array,
    private at = 0,
    private readonly end = bytes.length,
  ) {}

  get isEmpty(): boolean {
    return this.at === this.end
  }

  get contents(): Uint8Array {
    return this.bytes.subarray(this.at, this.end)
  }

  next(): number | undefined {
    return this.isEmpty ? undefined : this.bytes[this.at]
  }

  /** @returns undefined for an incomplete element, or another tag */
  read(tag: number): DerReader | undefined {
    if (this.next() !== tag) return undefined
    const length = this.length()
    if (length === undefined || length.start + length.size > this.end) return undefined
    this.at = length.start + length.size
    return new DerReader(this.bytes, length.start, this.at)
  }

  /** X.690, section 10.1: the shortest form. */
  private length(): { start: number; size: number } | undefined {
    const first = this.at + 1 < this.end ? (this.bytes[this.at + 1] as number) : undefined
    if (first === undefined) return undefined
    if (first < 0x80) return { start: this.at + 2, size: first }
    const count = first & 0x7f
    const start = this.at + 2 + count
    if (count < 1 || count > 4 || start > this.end) return undefined
    const size = this.bytes.subarray(this.at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
    return size < 0x80 || size < 256 ** (count - 1) ? undefined : { start, size }
  }
}

/** X.690, section 8.3.2: the shortest form. */
function integerIn(reader: DerReader | undefined): Uint8Array | undefined {
  const bytes = reader?.contents
  if (bytes === undefined || bytes.length === 0) return undefined
  const [first = 0, second = 0] = bytes
  const isPadded =
    bytes.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  return isPadded ? undefined : bytes
}

const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

export function certificateProblem(der: Uint8Array): string | undefined {
  const input = new DerReader(der)
  const whole = input.read(TAG.sequence)
  if (whole === undefined) return 'x509: malformed certificate'
  const signed = whole.read(TAG.sequence)
  if (signed === undefined) return 'x509: malformed tbs certificate'
  return signedProblem(signed, whole) ?? (input.isEmpty ? undefined : 'x509: trailing data')
}

function signedProblem(signed: DerReader, whole: DerReader): string | undefined {
  const version = versionProblem(signed)
  if (version !== undefined) return version
  if (integerIn(signed.read(TAG.integer)) === undefined) return 'x509: malformed serial number'
  const inner = signed.read(TAG.sequence)
  if (inner === undefined) return 'x509: malformed signature algorithm identifier'
  const outer = whole.read(TAG.sequence)
  if (outer === undefined) return 'x509: malformed algorithm identifier'
  if (!equalBytes(inner.contents, outer.contents))
    return "x509: inner and outer signature algorithm identifiers don't match"
  // Go reports issuer and subject alike.
  for (const part of ['issuer', 'validity', 'issuer', 'spki'])
    if (signed.read(TAG.sequence) === undefined) return `x509: malformed ${part}`
  return whole.read(TAG.bits) === undefined ? 'x509: malformed signature' : undefined
}

function versionProblem(signed: DerReader): string | undefined {
  if (signed.next() !== TAG.version) return undefined
  const holder = signed.read(TAG.version)
  const number = integerIn(holder?.read(TAG.integer))
  if (number === undefined || !holder?.isEmpty || (number[0] as number) >= 0x80)
    return 'x509: malformed version'
  return number.length > 1 || (number[0] as number) > LATEST_VERSION
    ? 'x509: invalid version'
    : undefined
}

/** @returns the names in DER; undefined for a malformed certificate */
function certificateNames(
  der: Uint8Array,
): { issuer: Uint8Array; subject: Uint8Array } | undefined {
  const signed = new DerReader(der).read(TAG.sequence)?.read(TAG.sequence)
  if (signed === undefined || versionProblem(signed) !== undefined) return undefined
  signed.read(TAG.integer)
  signed.read(TAG.sequence)
  const issuer = signed.read(TAG.sequence)?.contents
  signed.read(TAG.sequence)
  const subject = signed.read(TAG.sequence)?.contents
  return issuer && subject && { issuer, subject }
}

/** Whether one of the authorities has the name of the issuer. */
export const isIssuedBy = (der: Uint8Array, authorities: readonly Uint8Array[]): boolean => {
  const issuer = certificateNames(der)?.issuer
  return (
    issuer !== undefined &&
    authorities.some((authority) => {
      const subject = certificateNames(authority)?.subject
      return subject !== undefined && equalBytes(subject, issuer)
    })
  )
}
