/**
 * The FlowSchemas and priority levels that always exist. kubernetes.io, "Mandatory Configuration
 * Objects".
 */
import { memoizeByIdentity } from '../core/identity-memo'
import type { JsonObject, KubeObject } from '../core/object'
import { baseTables } from '../release-tables/base-tables'
import type { ReleaseTables } from '../release-tables/tables'

export const EXEMPT = 'exempt'
export const CATCH_ALL = 'catch-all'
/** Of flow schemas and priority levels. */
export const MANDATORY: ReadonlySet<string> = new Set([EXEMPT, CATCH_ALL])

/** undefined for other objects. */
export function mandatorySpec(
  kind: string,
  name: string,
  tables: ReleaseTables = baseTables(),
): JsonObject | undefined {
  if (!MANDATORY.has(name)) return undefined
  return specsOf(tables).get(`${kind} ${name}`)
}

const specsOf = memoizeByIdentity((tables: ReleaseTables): ReadonlyMap<string, JsonObject> => {
  const all = tables.table('bootstrapObjects') as { path: string; object: KubeObject }[]
  const own = all.filter(
    ({ path, object }) =>
      path.startsWith('apis/flowcontrol.') && MANDATORY.has(object.metadata.name ?? ''),
  )
  return new Map(
    own.map(({ object }) => [`${object.kind} ${object.metadata.name}`, object.spec as JsonObject]),
  )
})
