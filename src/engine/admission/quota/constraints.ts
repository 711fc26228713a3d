/** Containers must set what quotas limit. Error texts recorded from kube-apiserver 1.31. */
import { entryOf } from '../../core/object'
import type { PodSpec } from '../../validation/pods'
import { computeUsage } from './compute'

const STATED = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
])

/** Names of containers, sorted, by entry. */
export type MissingAmounts = Readonly<Record<string, readonly string[]>>

/** @returns undefined if all are set */
export function missingAmounts(spec: PodSpec, entries: string[]): MissingAmounts | undefined {
  const missing = new Map<string, Set<string>>()
  for (const { name, resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const stated = computeUsage(resources?.requests, resources?.limits)
    for (const entry of entries) {
      if (!STATED.has(entry) || entryOf(stated, entry) !== undefined) continue
      missing.set(entry, (missing.get(entry) ?? new Set()).add(name))
    }
  }
  if (missing.size === 0) return undefined
  const sorted = [...missing].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([entry, names]) => [entry, [...names].sort()]))
}

/** `must specify limits.memory for: a,b; requests.cpu for: a` */
export function constraintText(missing: MissingAmounts): string {
  const parts = Object.entries(missing).map(([entry, names]) => `${entry} for: ${names.join(',')}`)
  return `must specify ${parts.join('; ')}`
}
