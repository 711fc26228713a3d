/** audit.k8s.io/v1, Event, sourceIPs. */
import type { ApiRequest } from '../../http/messages'
import { addressFamily, canonicalAddress } from '../../validation/addresses'

/** A client that the host does not know runs on the same machine. */
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

/** Canonical; empty if invalid. */
function addressIn(text: string): string[] {
  const trimmed = text.trim()
  if (addressFamily(trimmed) === undefined) return []
  const address = canonicalAddress(trimmed)
  return [
    address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address,
  ]
}
