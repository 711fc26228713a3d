/** Options of the validation of pods at a release. */

import type { PodSpec } from '../../src/engine/kinds/core/pod-types'
import {
  type PodValidationOptions,
  podValidationOptions,
} from '../../src/engine/kinds/core/pod-validation/options'
import { baseTables } from '../../src/engine/release-tables/base-tables'
import { tablesOf } from '../../src/engine/release-tables/tables'
import { gatesOf } from '../../src/engine/server/gates'

/** Releases above the base one need `loadTables`. @param old the stored spec, on update */
export function podOptions(
  release: string,
  gates: Record<string, boolean> = {},
  old?: PodSpec,
): PodValidationOptions {
  const tables = tablesOf(release) ?? baseTables()
  return podValidationOptions(
    { featureGates: gatesOf(gates, tables), tables },
    old && { spec: old },
  )
}
