/** Addresses and ranges of addresses. */

/** The number of an IPv4 address; undefined for other texts. */
function numberOf(text: string): number | undefined {
  const parts = text.split('.').map(Number)
  if (parts.length !== 4 || !/^[\d.]+$/.test(text) || parts.some((part) => part > 255))
    return undefined
  return parts.reduce((sum, part) => sum * 256 + part, 0)
}

export const isAddress = (text: string): boolean =>
  numberOf(text) !== undefined || (text.includes(':') && /^[\da-fA-F:.]+$/.test(text))

/** Whether an IPv4 address is in a range: `10.0.0.0/8`. */
export function isInRange(ip: string, cidr: string): boolean {
  const [base = '', prefix = '32'] = cidr.split('/')
  const [address, start] = [numberOf(ip), numberOf(base)]
  if (address === undefined || start === undefined) return false
  const size = 2 ** (32 - Number(prefix))
  return Math.floor(address / size) === Math.floor(start / size)
}
