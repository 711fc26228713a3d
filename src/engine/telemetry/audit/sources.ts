/** Where a request came from, through which proxies: what they say of it, and behind that whom the server sees itself (public documentation, audit Event). */
import type { ApiRequest } from '../../http/messages'
import { addressFamily, canonicalAddress } from '../../registry/rules/addresses'

/** Hosts that see nobody are asked on the machine itself. */
const HERE = '127.0.0.1'
const MAPPED = '::ffff:'

export function sourcesOf(request: ApiRequest): string[] {
  const forwarded = (request.header('x-forwarded-for') ?? '').split(',').flatMap(addressIn)
  const real = addressIn(request.header('x-real-ip') ?? '').filter(
    (address) => !forwarded.includes(address),
  )
  const sources = [...forwarded, ...real]
  const [seen = HERE] = addressIn(request.remoteAddress?.() ?? '')
  return sources.at(-1) === seen ? sources : [...sources, seen]
}

/** The address in its one way of writing; nothing for what is none. */
function addressIn(text: string): string[] {
  const trimmed = text.trim()
  if (addressFamily(trimmed) === undefined) return []
  const address = canonicalAddress(trimmed)
  return [
    address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address,
  ]
}
