/**
 * * Sets feature gates, with warnings (Kubernetes Deprecation Policy, rules 9 and 10). Releases
 * before the base release have its gates.
 */

import { entryOf, setMember } from '../core/object'
import { baseTables } from '../release-tables/base-tables'
import { FIXED_GATES, OBEYED_GATES, WHOLE_STAGES } from '../release-tables/gate-effects'
import { type GateState, gateDependenciesAt, PRE_ALPHA } from '../release-tables/gate-history'
import { gateWithoutEffect } from '../release-tables/gates-without-effect'
import type { ReleaseTables } from '../release-tables/tables'
import { OptionError } from './option-error'

type Given = Readonly<Record<string, boolean>>

/**
 * @param tables of the release
 * @param emulation the emulated versions, as errors name them
 * @returns its gates, and removed gates of earlier releases at their last default
 * @throws OptionError
 */
export function gatesOf(
  given: Given,
  tables: ReleaseTables = baseTables(),
  emulation = '',
): Record<string, boolean> {
  const known = tables.gates()
  for (const [name, on] of Object.entries(given)) checkGate(name, on, { gates: known, emulation })
  checkDependencies(given, tables)
  const gates = tables.earlierGates()
  for (const [name, gate] of Object.entries(known)) {
    const ofStage = OBEYED_GATES.includes(name) ? stageValue(gate, given) : undefined
    setMember(gates, name, entryOf(given, name) ?? ofStage ?? gate.default)
  }
  return gates
}

/** @throws OptionError for gates whose values contradict each other */
function checkDependencies(given: Given, tables: ReleaseTables): void {
  const known = tables.gates()
  const isOn = (name: string): boolean => {
    const gate = entryOf(known, name)
    return entryOf(given, name) ?? (gate && (stageValue(gate, given) ?? gate.default)) ?? false
  }
  const dependencies = gateDependenciesAt(tables.release)
  for (const [name, needed] of dependencies) {
    // Gates of libraries are not in the tables of every release.
    const off = needed.filter((other) => entryOf(known, other) !== undefined && !isOn(other))
    if (isOn(name) && off.length > 0)
      throw new OptionError(
        `${name} is enabled, but depends on features that are disabled: [${off.join(' ')}]`,
      )
  }
  // The server checks these gates itself in releases whose gates do not name what they need.
  if (dependencies.length > 0) return
  if (isOn('AuthorizeNodeWithSelectors') && !isOn('AuthorizeWithSelectors'))
    throw new OptionError(
      'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
    )
  const [bound, validated] = [
    'ServiceAccountTokenNodeBinding',
    'ServiceAccountTokenNodeBindingValidation',
  ]
  if (isOn(bound) && !isOn(validated))
    throw new OptionError(
      `the "${bound}" feature gate can only be enabled if the "${validated}" feature gate is also enabled`,
    )
}

function checkGate(
  name: string,
  on: boolean,
  { gates, emulation }: { gates: Readonly<Record<string, GateState>>; emulation: string },
): void {
  const known = entryOf(gates, name)
  if (known === undefined) throw new OptionError(`unrecognized feature gate: ${name}`)
  const why = gateWithoutEffect(name)
  if (known.locked && on !== known.default)
    throw new OptionError(
      `cannot set feature gate ${name} to ${on}, feature is locked to ${known.default}`,
    )
  if (known.stage === PRE_ALPHA)
    throw new OptionError(
      `cannot set feature gate ${name} to ${on}, feature is PreAlpha at ${emulation}`,
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

/** @returns the value of `AllAlpha` or `AllBeta` if it applies to the stage and is set */
function stageValue({ stage }: GateState, given: Given): boolean | undefined {
  const [whole] = Object.entries(WHOLE_STAGES).find(([, of]) => of === stage) ?? []
  return whole === undefined ? undefined : entryOf(given, whole)
}

/** In warnings. */
const STAGE_NAMES: Readonly<Record<string, string>> = { GA: 'GA', DEPRECATED: 'deprecated' }

/** Warns of set gates that a later release removes (rule 10) or that have no effect. */
export function gateWarnings(given: Given, tables: ReleaseTables = baseTables()): string[] {
  const gates = tables.gates()
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
  const gates = tables.gates()
  return [...OBEYED_GATES, ...Object.keys(WHOLE_STAGES)].flatMap((name) => {
    const gate = entryOf(gates, name)
    return gate ? [`${name}=true|false (${gate.stage} - default=${gate.default})`] : []
  })
}
