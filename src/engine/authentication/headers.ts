import type { ApiRequest } from '../http/messages'

/** Some hosts join repeated headers. */
export function valuesOf(request: ApiRequest, name: string): string[] {
  if (request.headerValues) return request.headerValues(name)
  const value = request.header(name)
  return value === undefined ? [] : [value]
}

/** Keeps invalid percent-encodings (kube-apiserver 1.31). */
export function extraKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
