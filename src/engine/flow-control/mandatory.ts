/**
 * The specs of the mandatory flow schemas and priority levels (kubernetes.io, "API Priority and
 * Fairness", "Mandatory Configuration Objects").
 */
import { BOOTSTRAP_OBJECTS } from '../generated/bootstrap-objects'
import type { JsonObject, KubeObject } from '../object'

export const EXEMPT = 'exempt'
export const CATCH_ALL = 'catch-all'
/** Names of flow schemas and of priority levels alike. */
export const MANDATORY: ReadonlySet<string> = new Set([EXEMPT, CATCH_ALL])

let specs: Map<string, JsonObject> | undefined

/** The spec that a mandatory object comes with and keeps; undefined for any other. @param kind `FlowSchema`, `PriorityLevelConfiguration` */
export function mandatorySpec(kind: string, name: string): JsonObject | undefined {
  if (!MANDATORY.has(name)) return undefined
  if (specs === undefined) {
    const all = JSON.parse(BOOTSTRAP_OBJECTS) as { path: string; object: KubeObject }[]
    const own = all.filter(
      ({ path, object }) =>
        path.startsWith('apis/flowcontrol.') && MANDATORY.has(object.metadata.name ?? ''),
    )
    specs = new Map(
      own.map(({ object }) => [
        `${object.kind} ${object.metadata.name}`,
        object.spec as JsonObject,
      ]),
    )
  }
  return specs.get(`${kind} ${name}`)
}
