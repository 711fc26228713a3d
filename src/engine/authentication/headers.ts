/** Headers that say who somebody is: several values of one name, and names that carry data. */
import type { ApiRequest } from '../http/messages'

/** A repeated header has several values. Hosts that cannot tell them apart have joined them to one. */
export function valuesOf(request: ApiRequest, name: string): string[] {
  if (request.headerValues) return request.headerValues(name)
  const value = request.header(name)
  return value === undefined ? [] : [value]
}

/** A key that is not percent-encoded properly is taken as it stands (recorded). */
export function extraKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
