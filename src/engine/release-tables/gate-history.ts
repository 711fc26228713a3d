/**
 * The states of feature gates by release: stage, default, lock, and the gates that they need. From
 * `pkg/features` of k8s.io/kubernetes and k8s.io/apiserver of each release.
 */
import { entryOf, setMember } from '../core/object'
import { type GateEntry, gateHistory } from '../generated/feature-gate-history'
import type { FeatureGate } from '../generated/feature-gates'
import { minorOf } from './minor'

/** The stage of gates that come later than the emulated release. */
export const PRE_ALPHA = 'PRE-ALPHA'

/** The state of a gate in a release. */
export interface GateState extends FeatureGate {
  /** The gate cannot be set to another value than its default. */
  locked?: boolean
}

function lastAt<Entry extends readonly [release: string, ...unknown[]]>(
  entries: readonly Entry[],
  release: string,
): Entry | undefined {
  return entries.findLast(([since]) => minorOf(since) <= minorOf(release))
}

function stateOf(entry: GateEntry | undefined): GateState | undefined {
  const [, stage, isOn, locked] = entry ?? []
  if (stage === undefined || isOn === undefined) return undefined
  return { stage, default: isOn, ...(locked === undefined ? {} : { locked: true }) }
}

/**
 * Adds locks to the recorded gates of a release.
 * @param isRecorded false: the gates are those of the release below, and their states change too
 */
export function gatesAt(
  release: string,
  gates: Readonly<Record<string, FeatureGate>>,
  isRecorded: boolean,
): Record<string, GateState> {
  const { gates: history } = gateHistory()
  const found: Record<string, GateState> = {}
  for (const name of new Set([
    ...Object.keys(gates),
    ...(isRecorded ? [] : Object.keys(history)),
  ])) {
    const given = entryOf(gates, name)
    const entries = entryOf(history, name)
    const state = stateOf(entries && lastAt(entries, release))
    if (entries === undefined || (isRecorded && state === undefined)) {
      if (given !== undefined) setMember(found, name, given)
    } else if (state !== undefined) {
      // Recorded stages and defaults are those of the release's last patch.
      setMember(found, name, isRecorded && given ? { ...state, ...given } : state)
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The gates that each gate needs, for gates that need others. */
export function gateDependenciesAt(release: string): [gate: string, needed: string[]][] {
  return Object.entries(gateHistory().dependencies).flatMap(([gate, entries]) => {
    const [, ...needed] = lastAt(entries, release) ?? []
    return needed.length > 0 ? [[gate, needed]] : []
  })
}
