/** The release of servers in tests that name none, and tables of others. */
import '../../src/engine/release-tables/base-tables'
import { BASE_RELEASE } from '../../src/engine/release-tables/minor'
import { ReleaseTables, tablesOf } from '../../src/engine/release-tables/tables'
import type { Release } from '../../src/engine/releases/release'

/** Its recordings cover most behavior. */
export const TEST_RELEASE: Release = '1.31'

/** The behavior changes of a release, with the types of the base release. */
export function changedTables(release: string): ReleaseTables {
  const before = tablesOf(BASE_RELEASE)
  if (before === undefined) throw new Error('no base tables')
  return new ReleaseTables(release, { before, step: {} })
}
