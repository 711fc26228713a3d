/** Loads the tables of releases above the base one. */
import './base-tables'
import { loadStep } from './load-step'
import { minorOf } from './minor'
import { provide, ReleaseTables, releaseBelow, STEPS, tablesOf } from './tables'

/**
 * Loads the tables that a server of the release needs before it is created. The base release and
 * earlier ones need none. The files are loaded in parallel, because hosts wait for them at start.
 */
export async function loadTables(release: string): Promise<void> {
  const missing = STEPS.filter(
    (name) => minorOf(name) <= minorOf(release) && tablesOf(name) === undefined,
  )
  const steps = await Promise.all(
    missing.map(async (name) => ({ name, step: await loadStep(name) })),
  )
  for (const { name, step } of steps) {
    const before = tablesOf(releaseBelow(name))
    if (before !== undefined && tablesOf(name) === undefined)
      provide(new ReleaseTables(name, { before, step }))
  }
}
