/**
 * Strict parsing (RFC 4291, RFC 5952), with the errors of Go's net/netip. Texts recorded from
 * kube-apiserver 1.31.
 */

import type { FieldError } from '../http/status'
import { goQuote } from '../schema/go-text'
import {
  addressFamily,
  canonicalAddress,
  canonicalRange,
  cidrFamily,
  isNetwork,
  NOT_A_RANGE,
  NOT_AN_ADDRESS,
  plainAddress,
  writtenFamily,
} from './addresses'
import { invalidValue, onlySince } from './field-errors'

const problem = (why: string, rest = ''): string =>
  rest === '' ? why : `${why} (at ${goQuote(rest)})`

/** @returns undefined for a valid address */
export function addressProblem(text: string): string | undefined {
  const why = problemOf(text)
  return why === undefined ? undefined : `ParseAddr(${goQuote(text)}): ${why}`
}

/** @returns undefined for a canonical CIDR */
export function rangeProblem(text: string): string | undefined {
  const slash = text.lastIndexOf('/')
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)]
  const unread = slash < 0 ? "no '/'" : (addressProblem(address) ?? lengthProblem(address, bits))
  if (unread !== undefined) return `netip.ParsePrefix(${goQuote(text)}): ${unread}`
  if (!isNetwork(address, Number(bits)))
    return "wrong CIDR format, IP doesn't match network IP address"
  return canonicalAddress(address) === address ? undefined : 'CIDR not in RFC 5952 canonical format'
}

function lengthProblem(address: string, bits: string): string | undefined {
  if (address.includes('%')) return 'IPv6 zones cannot be present in a prefix'
  if (!/^(0|[1-9]\d*)$/.test(bits)) return `bad bits after slash: ${goQuote(bits)}`
  return Number(bits) > (address.includes(':') ? 128 : 32)
    ? 'prefix length out of range'
    : undefined
}

/** The first of these characters determines the type of address. */
function problemOf(text: string): string | undefined {
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.':
      return problemOfIPv4(text)
    case ':':
      return problemOfIPv6(text)
    case '%':
      return 'missing IPv6 address'
    default:
      return 'unable to parse IP'
  }
}

const EMPTY_OCTET = 'IPv4 field must have at least one digit'

function problemOfIPv4(text: string): string | undefined {
  let [octet, fields] = ['', 1]
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? ''
    if (sign === '.') {
      if (octet === '' || i === text.length - 1) return problem(EMPTY_OCTET, text.slice(i))
      if (fields === 4) return 'IPv4 address too long'
      ;[octet, fields] = ['', fields + 1]
    } else if (/\d/.test(sign)) {
      if (octet === '0') return 'IPv4 field has octet with leading zero'
      octet += sign
      if (Number(octet) > 255) return 'IPv4 field has value >255'
    } else return problem('unexpected character', text.slice(i))
  }
  return fields < 4 ? 'IPv4 address too short' : undefined
}

const GROUPS = 8

function problemOfIPv6(text: string): string | undefined {
  const zone = text.indexOf('%')
  if (zone === text.length - 1) return 'zone must be a non-empty string'
  let rest = zone < 0 ? text : text.slice(0, zone)
  let [groups, shortened] = [0, false]
  if (rest.startsWith('::')) [rest, shortened] = [rest.slice(2), true]
  while (groups < GROUPS && rest !== '') {
    const [digits = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? []
    if (digits === '')
      return problem('each colon-separated field must have at least one digit', rest)
    if (digits.length > 4) return problem('each group must have 4 or less digits', rest)
    if (rest[digits.length] === '.') {
      if (!shortened && groups !== GROUPS - 2)
        return problem('embedded IPv4 address must replace the final 2 fields of the address', rest)
      if (groups > GROUPS - 2)
        return problem(
          'too many hex fields to fit an embedded IPv4 at the end of the address',
          rest,
        )
      const why = problemOfIPv4(rest)
      if (why !== undefined) return why
      ;[rest, groups] = ['', groups + 2]
      break
    }
    ;[rest, groups] = [rest.slice(digits.length), groups + 1]
    if (rest === '') break
    if (rest[0] !== ':') return problem('unexpected character, want colon', rest)
    if (rest === ':') return problem('colon must be followed by more characters', rest)
    rest = rest.slice(1)
    if (rest[0] !== ':') continue
    if (shortened) return problem('multiple :: in address', rest)
    ;[rest, shortened] = [rest.slice(1), true]
  }
  if (rest !== '') return problem('trailing garbage after address', rest)
  if (groups < GROUPS) return shortened ? undefined : 'address string too short'
  return shortened ? 'the :: must expand to at least one field of zeros' : undefined
}

/* k8s.io/apimachinery, pkg/util/validation/ip.go */

const isMapped = (address: string): boolean =>
  writtenFamily(address) === 'IPv6' && addressFamily(address) === 'IPv4'

/** @returns undefined for an address without ambiguity */
function ambiguity(address: string): string | undefined {
  if (addressProblem(address) !== undefined) return 'must not have leading 0s'
  return isMapped(address) ? 'must not be an IPv4-mapped IPv6 address' : undefined
}

function rangeAmbiguity(range: string): string | undefined {
  const [address = '', bits = ''] = range.split('/')
  if (addressProblem(address) !== undefined || lengthProblem(address, bits) !== undefined)
    return 'must not have leading 0s in IP or prefix length'
  if (isMapped(address)) return 'must not have an IPv4-mapped IPv6 address'
  return isNetwork(address, Number(bits))
    ? undefined
    : 'must not have bits set beyond the prefix length'
}

/** `::ffff:10.0.0.1` is `10.0.0.1`. */
const plainRange = (range: string): string =>
  isMapped(range.split('/')[0] ?? '') ? range : canonicalRange(range)

/** @returns undefined for a canonical address */
export function addressFlaw(text: string): string | undefined {
  if (addressFamily(text) === undefined) return NOT_AN_ADDRESS
  const plain = plainAddress(text)
  const other = plain === text ? undefined : `must be in canonical form (${goQuote(plain)})`
  return ambiguity(text) ?? other
}

/** @returns undefined for a canonical CIDR */
export function rangeFlaw(text: string): string | undefined {
  if (cidrFamily(text) === undefined) return NOT_A_RANGE
  const plain = plainRange(text)
  const other = plain === text ? undefined : `must be in canonical form (${goQuote(plain)})`
  return rangeAmbiguity(text) ?? other
}

const strictly = (field: string, text: string, why: string | undefined): FieldError[] =>
  why === undefined ? [] : [onlySince('AddressesStrict', invalidValue(field, text, why))]

/** For fields that took every notation at first. @param known stored values, which stay valid */
export function addressFieldErrors(
  field: string,
  text: string,
  known: readonly string[] = [],
): FieldError[] {
  if (addressFamily(text) === undefined) return [invalidValue(field, text, NOT_AN_ADDRESS)]
  return known.includes(text) ? [] : strictly(field, text, ambiguity(text))
}

export function rangeFieldErrors(
  field: string,
  text: string,
  known: readonly string[] = [],
): FieldError[] {
  if (cidrFamily(text) === undefined) return [invalidValue(field, text, NOT_A_RANGE)]
  return known.includes(text) ? [] : strictly(field, text, rangeAmbiguity(text))
}

const invalid = (isStrict: boolean): string =>
  isStrict ? 'is invalid' : 'will be considered invalid in a future Kubernetes release'

/** @param isStrict new objects may not have the text */
export function addressFieldWarnings(field: string, text: string, isStrict: boolean): string[] {
  if (addressFamily(text) === undefined) return []
  const plain = plainAddress(text)
  if (ambiguity(text) !== undefined)
    return [
      `${field}: non-standard IP address ${goQuote(text)} ${invalid(isStrict)}: use ${goQuote(plain)}`,
    ]
  if (plain === text) return []
  const form = `should be in RFC 5952 canonical format (${goQuote(plain)})`
  return [`${field}: IPv6 address ${goQuote(text)} ${form}`]
}

export function rangeFieldWarnings(field: string, text: string, isStrict: boolean): string[] {
  const family = cidrFamily(text)
  if (family === undefined) return []
  const [plain, [address = '', bits = '']] = [plainRange(text), text.split('/')]
  if (!isNetwork(address, Number(bits))) {
    const single = `${plainAddress(address)}/${family === 'IPv4' ? 32 : 128}`
    const choice = `(should be ${goQuote(plain)} or ${goQuote(single)}?)`
    return [`${field}: CIDR value ${goQuote(text)} is ambiguous in this context ${choice}`]
  }
  if (rangeAmbiguity(text) !== undefined)
    return [
      `${field}: non-standard CIDR value ${goQuote(text)} ${invalid(isStrict)}: use ${goQuote(plain)}`,
    ]
  if (plain === text) return []
  const form = `should be in RFC 5952 canonical format (${goQuote(plain)})`
  return [`${field}: IPv6 CIDR value ${goQuote(text)} ${form}`]
}
