/** Parses IP addresses and CIDRs. RFC 4632, RFC 4291. */

export type Family = 'IPv4' | 'IPv6'

export const NOT_AN_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
export const NOT_A_RANGE = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/** Accepts leading zeros, as kube-apiserver does. @returns undefined if invalid */
export function writtenFamily(text: string): Family | undefined {
  if (isIPv4(text)) return 'IPv4'
  return isIPv6(text) ? 'IPv6' : undefined
}

/** `::ffff:10.9.8.7` counts as IPv4. @returns undefined if invalid */
export function addressFamily(text: string): Family | undefined {
  const family = writtenFamily(text)
  return family === 'IPv6' && isMapped(addressNumber(text)) ? 'IPv4' : family
}

/** RFC 4291, section 2.5.5.2. */
const isMapped = (number: bigint) => number >> 32n === 65535n

const LENGTH: Record<Family, number> = { IPv4: 32, IPv6: 128 }

export function cidrFamily(text: string): Family | undefined {
  const [, address = '', prefix = ''] = /^([^/]+)\/(\d+)$/.exec(text) ?? []
  const family = writtenFamily(address)
  return family !== undefined && prefix !== '' && Number(prefix) <= LENGTH[family]
    ? family
    : undefined
}

function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

/** `::` replaces one or more groups of zeros. The last two groups may be an IPv4 address. */
function isIPv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  let groups = 0
  for (const [i, half] of halves.entries()) {
    const parts = half === '' ? [] : half.split(':')
    for (const [j, part] of parts.entries()) {
      const isLast = i === halves.length - 1 && j === parts.length - 1
      if (isLast && isIPv4(part)) groups += 2
      else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups += 1
      else return false
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8
}

/** IPv4 addresses have their own space. */
function addressNumber(text: string): bigint {
  if (isIPv4(text)) return text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)
  const last = text.lastIndexOf(':') + 1
  const grouped = text.includes('.') ? text.slice(0, last) + asGroups(text.slice(last)) : text
  const [head = '', tail = ''] = grouped.split('::')
  const groups = (half: string) => half.split(':').filter((group) => group !== '')
  const [high, low] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - high.length - low.length }, () => '0')
  return [...high, ...zeros, ...low].reduce(
    (value, group) => value * 65536n + BigInt(`0x${group}`),
    0n,
  )
}

/** The canonical text form of an IPv6 address (RFC 5952). */
export function canonicalAddress(text: string): string {
  const number = addressNumber(text)
  if (isIPv4(text)) return dotted(number)
  const groups = grouped(number).split(':')
  if (isMapped(number)) return `::ffff:${dotted(number)}`
  const runs = [
    ...groups
      .map((group) => (group === '0' ? '0' : '.'))
      .join('')
      .matchAll(/0{2,}/g),
  ]
  const longest = runs.reduce<RegExpMatchArray | undefined>(
    (best, run) => (run[0].length > (best?.[0].length ?? 0) ? run : best),
    undefined,
  )
  if (longest === undefined) return groups.join(':')
  const start = longest.index ?? 0
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + longest[0].length).join(':')}`
}

const grouped = (number: bigint) =>
  Array.from({ length: 8 }, (_, i) =>
    ((number >> BigInt(112 - 16 * i)) & 65535n).toString(16),
  ).join(':')

/** Nearly all addresses are canonical IPv4. */
const PLAIN_IPV4 = /^(?:(?:0|[1-9]\d{0,2})(?:\.|$)){4}$/

/** An IPv4-mapped address becomes IPv4. */
export function plainAddress(text: string): string {
  if (PLAIN_IPV4.test(text)) return text
  return addressFamily(text) === 'IPv4' ? dotted(addressNumber(text)) : canonicalAddress(text)
}

const dotted = (number: bigint) =>
  [24n, 16n, 8n, 0n].map((shift) => String((number >> shift) & 255n)).join('.')

/** `1.2.3.4` -> `102:304` */
function asGroups(v4: string): string {
  const value = addressNumber(v4)
  return `${(value / 65536n).toString(16)}:${(value % 65536n).toString(16)}`
}

export function rangeSize(range: string): bigint {
  const [address = '', length = ''] = range.split('/')
  return 1n << BigInt(LENGTH[isIPv4(address) ? 'IPv4' : 'IPv6'] - Number(length))
}

/** Undefined if outside. */
export function placeInRange(address: string, range: string): bigint | undefined {
  const [first = ''] = range.split('/')
  if (isIPv4(address) !== isIPv4(first)) return undefined
  const place = addressNumber(address) - firstOf(range)
  return place >= 0n && place < rangeSize(range) ? place : undefined
}

export function addressAt(range: string, place: number): string {
  const number = firstOf(range) + BigInt(place)
  return range.includes(':') ? canonicalAddress(grouped(number)) : dotted(number)
}

export const canonicalRange = (range: string): string =>
  `${addressAt(range, 0)}/${range.split('/')[1]}`

/** A CIDR may be written with any of its addresses. */
function firstOf(range: string): bigint {
  const number = addressNumber(range.split('/')[0] ?? '')
  return number - (number % rangeSize(range))
}

export function isNetwork(address: string, length: number): boolean {
  return addressNumber(address) % rangeSize(`${address}/${length}`) === 0n
}

/** Both must be valid. */
export function isStrictlyWithin(inner: string, outer: string): boolean {
  const [family, [address = '', length = '']] = [cidrFamily(outer), outer.split('/')]
  const [innerAddress = '', innerLength = ''] = inner.split('/')
  if (family === undefined || family !== cidrFamily(inner) || Number(innerLength) <= Number(length))
    return false
  const rest = BigInt(LENGTH[family] - Number(length))
  return addressNumber(address) >> rest === addressNumber(innerAddress) >> rest
}

/** RFC 6890, RFC 4291. */
const SPECIAL: Record<
  'zero' | 'loopback' | 'link' | 'multicast',
  Record<Family, (number: bigint) => boolean>
> = {
  zero: { IPv4: (number) => number === 0n, IPv6: (number) => number === 0n },
  loopback: { IPv4: (number) => number >> 24n === 127n, IPv6: (number) => number === 1n },
  link: {
    IPv4: (number) => number >> 16n === 0xa9fen,
    IPv6: (number) => number >> 118n === 0x3fan,
  },
  multicast: {
    IPv4: (number) => number >> 8n === 0xe00000n,
    IPv6: (number) => ((number >> 112n) & 0xff0fn) === 0xff02n,
  },
}

/** Messages recorded from kube-apiserver 1.31. */
export function specialAddressProblems(address: string): string[] {
  const family = addressFamily(address)
  if (family === undefined) return []
  const number = family === 'IPv4' ? addressNumber(address) & 0xffffffffn : addressNumber(address)
  const is = (what: keyof typeof SPECIAL) => SPECIAL[what][family](number)
  return [
    ...(is('zero') ? [`may not be unspecified (${address})`] : []),
    ...(is('loopback') ? ['may not be in the loopback range (127.0.0.0/8, ::1/128)'] : []),
    ...(is('link') ? ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'] : []),
    ...(is('multicast')
      ? ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)']
      : []),
  ]
}
