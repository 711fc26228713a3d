/** Loads the tables of releases above the base one. */
import './base-tables'
import { loadStep } from './load-step'
import { missingSteps, provideStep } from './tables'

/**
 * Loads the tables that a server of the release needs before it is created. The base release and
 * earlier ones need none. The files are loaded in parallel, because hosts wait for them at start.
 */
export async function loadTables(release: string): Promise<void> {
  const steps = await Promise.all(
    missingSteps(release).map(async (name) => ({ name, step: await loadStep(name) })),
  )
  for (const { name, step } of steps) provideStep(name, step)
}
