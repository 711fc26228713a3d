/** Loads steps on demand. Hosts without dynamic imports replace this module by another loader. */
import { entryOf } from '../core/object'
import type { Step } from './tables'

const STEPS: Readonly<Record<string, () => Promise<{ step: () => unknown }>>> = {
  '1.33': () => import('../generated/step-1.33'),
  '1.35': () => import('../generated/step-1.35'),
  '1.37': () => import('../generated/step-1.37'),
}

/** @throws Error for a release without a step */
export async function loadStep(release: string): Promise<Step> {
  const load = entryOf(STEPS, release)
  if (load === undefined) throw new Error(`release ${release} has no tables of its own`)
  return (await load()).step() as Step
}
