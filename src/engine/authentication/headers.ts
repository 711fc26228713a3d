import type { ApiRequest } from '../http/messages'

/** Some hosts join the values of a repeated header. */
export function valuesOf(request: ApiRequest, name: string): string[] {
  if (request.headerValues) return request.headerValues(name)
  const value = request.header(name)
  return value === undefined ? [] : [value]
}

/** Keeps invalid percent-encodings. Recorded from kube-apiserver 1.31. */
export function extraKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
