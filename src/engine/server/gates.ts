/**
 * With warnings (Kubernetes Deprecation Policy, rules 9 and 10). Releases before the base release
 * have its gates.
 */

import { entryOf, setMember } from '../core/object'
import type { FeatureGate } from '../generated/feature-gates'
import { baseTables } from '../release-tables/base-tables'
import {
  FIXED_GATES,
  OBEYED_GATES,
  UNLOCKED_GATES,
  WHOLE_STAGES,
} from '../release-tables/gate-effects'
import { gateWithoutEffect } from '../release-tables/gates-without-effect'
import type { ReleaseTables } from '../release-tables/tables'
import { OptionError } from './option-error'

type Given = Readonly<Record<string, boolean>>

/**
 * Includes removed gates of earlier releases at their last default.
 * @throws OptionError
 */
export function gatesOf(
  given: Given,
  tables: ReleaseTables = baseTables(),
): Record<string, boolean> {
  const known = tables.table('featureGates')
  for (const [name, on] of Object.entries(given)) checkGate(name, on, known)
  const gates = tables.earlierGates()
  for (const [name, gate] of Object.entries(known))
    setMember(gates, name, entryOf(given, name) ?? ofStage(name, gate, given) ?? gate.default)
  if (gates.AuthorizeNodeWithSelectors && !gates.AuthorizeWithSelectors)
    throw new OptionError(
      'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
    )
  if (gates.ServiceAccountTokenNodeBinding && !gates.ServiceAccountTokenNodeBindingValidation) {
    const [bound, needed] = [
      '"ServiceAccountTokenNodeBinding"',
      '"ServiceAccountTokenNodeBindingValidation"',
    ]
    throw new OptionError(
      `the ${bound} feature gate can only be enabled if the ${needed} feature gate is also enabled`,
    )
  }
  return gates
}

function checkGate(name: string, on: boolean, gates: Record<string, FeatureGate>): void {
  const known = entryOf(gates, name)
  if (known === undefined) throw new OptionError(`unrecognized feature gate: ${name}`)
  const why = gateWithoutEffect(name)
  if (known.stage === 'GA' && !on && !UNLOCKED_GATES.includes(name))
    throw new OptionError(
      `cannot set feature gate ${name} to ${on}, feature is locked to ${known.default}`,
    )
  if (
    on !== known.default &&
    why === undefined &&
    !OBEYED_GATES.includes(name) &&
    entryOf(WHOLE_STAGES, name) === undefined
  ) {
    const reason = entryOf(FIXED_GATES, name)
    throw new OptionError(
      `feature gate ${name} cannot be changed here${reason === undefined ? '' : `: ${reason}`}`,
    )
  }
}

/** `AllAlpha` or `AllBeta`, if it applies to the gate and is set. */
function ofStage(name: string, { stage }: FeatureGate, given: Given): boolean | undefined {
  if (!OBEYED_GATES.includes(name)) return undefined
  const [whole] = Object.entries(WHOLE_STAGES).find(([, of]) => of === stage) ?? []
  return whole === undefined ? undefined : entryOf(given, whole)
}

/** In warnings. */
const STAGE_NAMES: Readonly<Record<string, string>> = { GA: 'GA', DEPRECATED: 'deprecated' }

/** Warns of set gates that a later release removes (rule 10) or that have no effect. */
export function gateWarnings(given: Given, tables: ReleaseTables = baseTables()): string[] {
  const gates = tables.table('featureGates')
  return Object.entries(given).flatMap(([name, on]) => {
    const stage = entryOf(STAGE_NAMES, entryOf(gates, name)?.stage ?? '')
    const why = gateWithoutEffect(name)
    return [
      ...(stage === undefined
        ? []
        : [`Setting ${stage} feature gate ${name}=${on}. It will be removed in a future release.`]),
      ...(why === undefined ? [] : [`feature gate ${name} has no effect: ${why}`]),
    ]
  })
}

/** `WatchList=true|false (ALPHA - default=false)` */
export function gateHelp(tables: ReleaseTables = baseTables()): string[] {
  const gates = tables.table('featureGates')
  return [...OBEYED_GATES, ...Object.keys(WHOLE_STAGES)].flatMap((name) => {
    const gate = entryOf(gates, name)
    return gate ? [`${name}=true|false (${gate.stage} - default=${gate.default})`] : []
  })
}
