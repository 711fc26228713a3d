/** Addresses and address ranges (RFC 4632, RFC 4291). */

export type Family = 'IPv4' | 'IPv6'

/** Which family an address is of; undefined: it is none. Leading zeros are taken, as the real server does. */
export function addressFamily(text: string): Family | undefined {
  if (isIPv4(text)) return 'IPv4'
  return isIPv6(text) ? 'IPv6' : undefined
}

const LENGTH: Record<Family, number> = { IPv4: 32, IPv6: 128 }

/** Which family a range (`10.0.0.0/8`) is of; undefined: it is none. */
export function cidrFamily(text: string): Family | undefined {
  const [, address = '', prefix = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const family = addressFamily(address)
  return family !== undefined && prefix !== '' && Number(prefix) <= LENGTH[family] ? family : undefined
}

function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

/** Groups of four hexadecimal digits; `::` stands for one group or more of zeros; the last two groups may be an IPv4 address. */
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
