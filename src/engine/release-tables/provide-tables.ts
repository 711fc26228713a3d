/**
 * Provides the tables of releases above the base one without waiting, for hosts whose callers create
 * servers synchronously. Such a host contains all tables; others load them (load-tables.ts).
 */
import './base-tables'
import { entryOf } from '../core/object'
import { step as step133 } from '../generated/step-1.33'
import { step as step135 } from '../generated/step-1.35'
import { step as step137 } from '../generated/step-1.37'
import { missingSteps, provideStep, type Step } from './tables'

const STEPS: Readonly<Record<string, () => unknown>> = {
  '1.33': step133,
  '1.35': step135,
  '1.37': step137,
}

/** Provides the tables that a server of the release needs before it is created. */
export function provideTables(release: string): void {
  for (const name of missingSteps(release)) {
    const step = entryOf(STEPS, name)
    if (step !== undefined) provideStep(name, step() as Step)
  }
}
