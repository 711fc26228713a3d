/** What a server chooses by chance or by what is free, which differs between any two clusters. */
import { isJsonObject, type JsonObject, type KubeObject } from '../../engine/core/object'

/** The volume of the service account token gets a random name. */
const TOKEN_VOLUME = /"kube-api-access-[a-z0-9]{5}"/g

/** @param given the manifest: what it sets is kept @returns a copy */
export function withoutAllocated(stored: KubeObject, given: KubeObject): KubeObject {
  const text = JSON.stringify(stored).replace(TOKEN_VOLUME, '"kube-api-access"')
  // A Job has its own uid in labels and in its selector.
  const { uid } = stored.metadata
  const copy = JSON.parse(uid === undefined ? text : text.replaceAll(uid, 'UID')) as KubeObject
  if (stored.apiVersion === 'v1' && stored.kind === 'Service')
    dropAllocated(specOf(copy), specOf(given))
  return copy
}

function specOf({ spec }: KubeObject): JsonObject {
  return isJsonObject(spec as JsonObject) ? (spec as JsonObject) : {}
}

function dropAllocated(spec: JsonObject, given: JsonObject): void {
  if (given.clusterIP === undefined && given.clusterIPs === undefined) {
    delete spec.clusterIP
    delete spec.clusterIPs
  }
  if (given.healthCheckNodePort === undefined) delete spec.healthCheckNodePort
  const givenPorts = portsIn(given)
  for (const [index, port] of portsIn(spec).entries())
    if (givenPorts[index]?.nodePort === undefined) delete port.nodePort
}

function portsIn({ ports }: JsonObject): JsonObject[] {
  return Array.isArray(ports) ? ports.filter(isJsonObject) : []
}
