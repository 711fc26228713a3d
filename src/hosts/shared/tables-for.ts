import { loadTables } from '../../engine/release-tables/load-tables'
import { type ReleaseTables, tablesOf } from '../../engine/release-tables/tables'
import type { Release } from '../../engine/releases/release'

export async function tablesFor(release: Release): Promise<ReleaseTables> {
  await loadTables(release)
  const tables = tablesOf(release)
  if (tables === undefined) throw new Error(`the tables of release ${release} are not loaded`)
  return tables
}
