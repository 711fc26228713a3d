/** How an actor's credential goes with a request. */
import { CERTIFICATE_HEADER } from '../engine/names'
import type { Actor } from './state/actors'

/** The headers by which the server recognizes an actor. */
export function credentialHeaders({ token, certificate }: Actor): Record<string, string> {
  if (certificate !== undefined) return { [CERTIFICATE_HEADER]: encodeURIComponent(certificate) }
  return token === undefined ? {} : { Authorization: `Bearer ${token}` }
}
