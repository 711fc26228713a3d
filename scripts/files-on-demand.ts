/**
 * The worker's data files. Vite loads this module with its own runner: the configuration's is
 * closed by then.
 */
import * as descriptions from '../src/engine/generated/descriptions'
import { loadStep } from '../src/engine/release-tables/load-step'
import { STEPS } from '../src/engine/release-tables/tables'

/** Table differences for the worker's `load-step.ts`. */
const steps = STEPS.map(
  async (release) => [`release-${release}.json`, JSON.stringify(await loadStep(release))] as const,
)

export const filesOnDemand: Readonly<Record<string, string>> = {
  // Every export, as a module import in Node.js has.
  'descriptions.json': JSON.stringify({ ...descriptions }),
  ...Object.fromEntries(await Promise.all(steps)),
}
