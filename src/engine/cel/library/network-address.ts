/** Numbers (RFC 791, RFC 4291), with the messages of Go's net/netip. */
import { goQuote } from '../../schema/go-text'

export interface Address {
  /** In bits. */
  length: 32 | 128
  value: bigint
}

export class AddressProblem {
  constructor(readonly message: string) {}
}

/** @throws AddressProblem */
export function parseAddress(text: string): Address & { zone?: string } {
  for (const character of text) {
    if (character === '.') return { length: 32, value: parseV4(text, text) }
    if (character === ':') return parseV6(text)
    if (character === '%') throw problem(text, 'missing IPv6 address')
  }
  throw problem(text, 'unable to parse IP')
}

const problem = (text: string, what: string, at?: string): AddressProblem =>
  new AddressProblem(
    `ParseAddr(${goQuote(text)}): ${what}${at === undefined ? '' : ` (at ${goQuote(at)})`}`,
  )

function parseV4(text: string, whole: string): bigint {
  let value = 0n
  let fields = 0
  let field = 0
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character >= '0' && character <= '9') {
      if (digits === 1 && field === 0)
        throw problem(whole, 'IPv4 field has octet with leading zero')
      field = field * 10 + Number(character)
      digits++
      if (field > 255) throw problem(whole, 'IPv4 field has value >255')
    } else if (character === '.') {
      if (at === 0 || at === text.length - 1 || text[at - 1] === '.')
        throw problem(whole, 'IPv4 field must have at least one digit', text.slice(at))
      if (fields === 3) throw problem(whole, 'IPv4 address too long')
      value = value * 256n + BigInt(field)
      fields++
      field = 0
      digits = 0
    } else throw problem(whole, 'unexpected character', text.slice(at))
  }
  if (fields < 3) throw problem(whole, 'IPv4 address too short')
  return value * 256n + BigInt(field)
}

function parseV6(whole: string): Address & { zone?: string } {
  const percent = whole.indexOf('%')
  const zone = percent < 0 ? undefined : whole.slice(percent + 1)
  if (zone === '') throw problem(whole, 'zone must be a non-empty string')
  let rest = percent < 0 ? whole : whole.slice(0, percent)
  const groups: bigint[] = []
  let ellipsis = -1
  if (rest.startsWith('::')) {
    ellipsis = 0
    rest = rest.slice(2)
  }
  while (rest !== '' && groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? ''
    if (digits.length > 4) throw problem(whole, 'each group must have 4 or less digits', rest)
    if (digits === '')
      throw problem(whole, 'each colon-separated field must have at least one digit', rest)
    if (rest[digits.length] === '.') {
      if (ellipsis < 0 && groups.length !== 6)
        throw problem(
          whole,
          'embedded IPv4 address must replace the final 2 fields of the address',
          rest,
        )
      if (groups.length > 6)
        throw problem(
          whole,
          'too many hex fields to fit an embedded IPv4 at the end of the address',
          rest,
        )
      const embedded = parseV4(rest, whole)
      groups.push(embedded >> 16n, embedded & 0xffffn)
      rest = ''
      break
    }
    groups.push(BigInt(`0x${digits}`))
    rest = rest.slice(digits.length)
    if (rest === '') break
    if (!rest.startsWith(':')) throw problem(whole, 'unexpected character, want colon', rest)
    if (rest.length === 1) throw problem(whole, 'colon must be followed by more characters', rest)
    rest = rest.slice(1)
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) throw problem(whole, 'multiple :: in address', rest)
      ellipsis = groups.length
      rest = rest.slice(1)
      if (rest === '') break
    }
  }
  if (rest !== '') throw problem(whole, 'trailing garbage after address', rest)
  if (groups.length < 8 && ellipsis < 0) throw problem(whole, 'address string too short')
  if (groups.length === 8 && ellipsis >= 0)
    throw problem(whole, 'the :: must expand to at least one field of zeros')
  const zeros = Array.from({ length: 8 - groups.length }, () => 0n)
  const all =
    ellipsis < 0 ? groups : [...groups.slice(0, ellipsis), ...zeros, ...groups.slice(ellipsis)]
  const value = all.reduce((sum, group) => sum * 65536n + group, 0n)
  return zone === undefined ? { length: 128, value } : { length: 128, value, zone }
}

/** `::ffff:1.2.3.4` */
export const isMapped = ({ length, value }: Address): boolean =>
  length === 128 && value >> 32n === 0xffffn

/** RFC 5952. */
export function formatAddress({ length, value }: Address): string {
  if (length === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
  const groups = Array.from(
    { length: 8 },
    (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn,
  )
  const { start, end } = longestZeros(groups)
  const text = (part: bigint[]) => part.map((group) => group.toString(16)).join(':')
  return end - start < 2
    ? text(groups)
    : `${text(groups.slice(0, start))}::${text(groups.slice(end))}`
}

function longestZeros(groups: readonly bigint[]): { start: number; end: number } {
  let best = { start: 0, end: 0 }
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === 0n) end++
    if (end - start > best.end - best.start) best = { start, end }
  }
  return best
}

export interface Network extends Address {
  prefix: number
}

/** @throws AddressProblem */
export function parseNetwork(text: string): Network {
  const wrong = (what: string): AddressProblem =>
    new AddressProblem(`netip.ParsePrefix(${goQuote(text)}): ${what}`)
  const slash = text.lastIndexOf('/')
  if (slash < 0) throw wrong("no '/'")
  let address: Address & { zone?: string }
  try {
    address = parseAddress(text.slice(0, slash))
  } catch (error) {
    if (error instanceof AddressProblem) throw wrong(error.message)
    throw error
  }
  if (address.zone !== undefined) throw wrong('IPv6 zones cannot be present in a prefix')
  const bits = text.slice(slash + 1)
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) throw wrong(`bad bits after slash: ${goQuote(bits)}`)
  if (Number(bits) > address.length) throw wrong('prefix length out of range')
  return { ...address, prefix: Number(bits) }
}

export function masked({ length, value, prefix }: Network): Network {
  const rest = BigInt(length - prefix)
  return { length, prefix, value: (value >> rest) << rest }
}

export const contains = (network: Network, address: Address): boolean =>
  network.length === address.length &&
  masked({ ...network, value: address.value }).value === masked(network).value
