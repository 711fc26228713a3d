import { CERTIFICATE_HEADER } from '../../engine/core/names'
import { type Actor, PAGE_ACTOR } from './actors'

export function credentialHeaders({
  name,
  groups,
  token,
  certificate,
  impersonated,
}: Actor): Record<string, string> {
  if (impersonated)
    return {
      ...credentialHeaders(PAGE_ACTOR),
      'Impersonate-User': name,
      ...(groups.length > 0 ? { 'Impersonate-Group': groups.join(', ') } : {}),
    }
  if (certificate !== undefined) return { [CERTIFICATE_HEADER]: encodeURIComponent(certificate) }
  return token === undefined ? {} : { Authorization: `Bearer ${token}` }
}
