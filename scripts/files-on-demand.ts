/**
 * The worker's data files, by name. Vite loads this module with its own runner, because the one
 * that loads the configuration is closed when the files are needed.
 */
import * as descriptions from '../src/engine/generated/descriptions'
import { loadStep } from '../src/engine/release-tables/load-step'
import { STEPS } from '../src/engine/release-tables/tables'

/** The table differences of each release, which the worker's `load-step.ts` loads. */
const steps = STEPS.map(
  async (release) => [`release-${release}.json`, JSON.stringify(await loadStep(release))] as const,
)

export const filesOnDemand: Readonly<Record<string, string>> = {
  // Every export, as a module import in Node.js has.
  'descriptions.json': JSON.stringify({ ...descriptions }),
  ...Object.fromEntries(await Promise.all(steps)),
}
