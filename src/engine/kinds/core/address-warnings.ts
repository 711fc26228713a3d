/**
 * Leading zeros, and IPv6 that is not canonical (RFC 5952). Texts: k8s.io/apimachinery,
 * pkg/util/validation/ip.go.
 */
import { AddressProblem, parseAddress, parseNetwork } from '../../cel/library/network-address'
import { goQuote } from '../../schema/go-text'
import { canonicalAddress } from '../../validation/addresses'

/** @param field `spec.externalIPs[0]` */
export function addressWarnings(field: string, text: string): string[] {
  return warningsOf(field, 'address', text, () =>
    parseAddress(text).length === 128 ? canonicalAddress(text) : text,
  )
}

/** `2001:db8::/64` */
export function rangeWarnings(field: string, text: string): string[] {
  return warningsOf(field, 'prefix', text, () => {
    const { length, prefix } = parseNetwork(text)
    return length === 128
      ? `${canonicalAddress(text.slice(0, text.lastIndexOf('/')))}/${prefix}`
      : text
  })
}

/** @param canonical throws AddressProblem if a strict parser rejects the text */
function warningsOf(
  field: string,
  what: 'address' | 'prefix',
  text: string,
  canonical: () => string,
): string[] {
  try {
    const wanted = canonical()
    if (wanted === text) return []
    const form = `is not in RFC 5952 canonical format (${goQuote(wanted)}), which may cause controller apply-loops`
    return [`${field}: IPv6 ${what} ${goQuote(text)} ${form}`]
  } catch (error) {
    if (!(error instanceof AddressProblem)) throw error
    return [
      `${field}: IP ${what} was accepted, but will be invalid in a future Kubernetes release: ${error.message}`,
    ]
  }
}
