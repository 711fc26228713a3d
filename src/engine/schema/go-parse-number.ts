import { goQuote } from './go-text'

/** The error of Go's strconv.ParseInt for 64 bits; undefined for a valid integer. */

export function signedProblem(text: string): string | undefined {
  if (!/^[-+]?\d+$/.test(text)) return `strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`
  return text.length < 19 || BigInt.asIntN(64, BigInt(text)) === BigInt(text)
    ? undefined
    : `strconv.ParseInt: parsing ${goQuote(text)}: value out of range`
}
/** The error of Go's strconv.ParseUint; undefined for a valid integer. */

export function unsignedProblem(text: string, bits = 64): string | undefined {
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`
  return (bits === 64 && text.length < 20) || BigInt(text) < 1n << BigInt(bits)
    ? undefined
    : `strconv.ParseUint: parsing ${goQuote(text)}: value out of range`
}
