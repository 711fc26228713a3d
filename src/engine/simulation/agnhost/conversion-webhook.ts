// cspell:ignore crdconvert
/**
 * The conversions of `agnhost crd-conversion-webhook`: version v1 of its test resource has a
 * `hostPort`, and v2 `host` and `port` (kubernetes/kubernetes, test/images/agnhost/README.md).
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { HttpResponse } from '../network/client'
import { parsed } from './webhook'

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }
const VERSIONS = ['stable.example.com/v1', 'stable.example.com/v2']

export function convertedBy(path: string, body: string): HttpResponse {
  if (path !== '/crdconvert') return { status: 404, headers: PLAIN, body: '404 page not found\n' }
  const review = parsed(body)
  const request = isJsonObject(review) ? review.request : undefined
  if (!isJsonObject(review) || !isJsonObject(request))
    return { status: 400, headers: PLAIN, body: 'conversion request is nil\n' }
  const { apiVersion = '', kind = '' } = review
  const { uid = '', desiredAPIVersion, objects } = request
  const response = { uid, ...conversion(Array.isArray(objects) ? objects : [], desiredAPIVersion) }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, apiVersion, response }),
  }
}

function conversion(objects: readonly Json[], version: Json | undefined): JsonObject {
  const convertedObjects: Json[] = []
  for (const object of objects.filter(isJsonObject)) {
    const converted = convertedTo(object, String(version))
    if (typeof converted === 'string') return failure(converted)
    convertedObjects.push({ ...converted, apiVersion: String(version) })
  }
  return { convertedObjects, result: { metadata: {}, status: 'Success' } }
}

const failure = (message: string): JsonObject => ({
  convertedObjects: [],
  result: { metadata: {}, status: 'Failure', message },
})

/** @returns the error message if it cannot be converted */
function convertedTo(object: JsonObject, version: string): JsonObject | string {
  const from = String(object.apiVersion)
  if (from === version)
    return `conversion from a version to itself should not call the webhook: ${version}`
  const unexpected = [from, version].find((one) => !VERSIONS.includes(one))
  if (unexpected !== undefined) return `unexpected conversion version "${unexpected}"`
  if (version === VERSIONS[1]) {
    const { hostPort, ...rest } = object
    if (hostPort === undefined) return rest
    const parts = String(hostPort).split(':')
    const [host = '', port = ''] = parts
    return parts.length === 2
      ? { ...rest, host, port }
      : `invalid hostPort value \`${String(hostPort)}\``
  }
  const { host, port, ...rest } = object
  return host === undefined && port === undefined
    ? rest
    : { ...rest, hostPort: `${String(host ?? '')}:${String(port ?? '')}` }
}
