/** Reads identity headers: repeated headers, and header names that contain data. */
import type { ApiRequest } from '../http/messages'

/** The values of a repeated header, which some hosts join. */
export function valuesOf(request: ApiRequest, name: string): string[] {
  if (request.headerValues) return request.headerValues(name)
  const value = request.header(name)
  return value === undefined ? [] : [value]
}

/** An invalid percent-encoding is kept. Recorded from kube-apiserver 1.31. */
export function extraKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
