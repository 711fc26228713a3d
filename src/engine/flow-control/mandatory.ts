/**
 * Specs of mandatory flow schemas and priority levels (kubernetes.io, "API Priority and Fairness",
 * "Mandatory Configuration Objects").
 */
import type { JsonObject, KubeObject } from '../core/object'
import { baseTables } from '../release-tables/base-tables'
import type { ReleaseTables } from '../release-tables/tables'

export const EXEMPT = 'exempt'
export const CATCH_ALL = 'catch-all'
/** Names of both flow schemas and priority levels. */
export const MANDATORY: ReadonlySet<string> = new Set([EXEMPT, CATCH_ALL])

const known = new WeakMap<ReleaseTables, Map<string, JsonObject>>()

/**
 * @param kind `FlowSchema`, `PriorityLevelConfiguration`
 * @param tables of the release
 * @returns undefined for any other object
 */
export function mandatorySpec(
  kind: string,
  name: string,
  tables: ReleaseTables = baseTables(),
): JsonObject | undefined {
  if (!MANDATORY.has(name)) return undefined
  let specs = known.get(tables)
  if (specs === undefined) {
    const all = tables.table('bootstrapObjects') as { path: string; object: KubeObject }[]
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
    known.set(tables, specs)
  }
  return specs.get(`${kind} ${name}`)
}
