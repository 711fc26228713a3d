/** Loads the tables of releases above the base one. */
import './base-tables'
import { loadStep } from './load-step'
import { minorOf } from './minor'
import { provide, ReleaseTables, releaseBelow, STEPS, tablesOf } from './tables'

/**
 * Loads the tables that a server of the release needs before it is created. The base release and
 * earlier ones need none.
 */
export async function loadTables(release: string): Promise<void> {
  for (const name of STEPS.filter((one) => minorOf(one) <= minorOf(release))) {
    if (tablesOf(name) !== undefined) continue
    const step = await loadStep(name)
    const before = tablesOf(releaseBelow(name))
    if (before !== undefined && tablesOf(name) === undefined)
      provide(new ReleaseTables(name, { before, step }))
  }
}
