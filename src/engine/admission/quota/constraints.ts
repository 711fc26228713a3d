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

/** `must specify limits.memory for: a,b; requests.cpu for: a`; undefined if all are set */
export function constraintProblem(spec: PodSpec, entries: string[]): string | undefined {
  const missing = new Map<string, Set<string>>()
  for (const { name, resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const stated = computeUsage(resources?.requests, resources?.limits)
    for (const entry of entries) {
      if (!STATED.has(entry) || entryOf(stated, entry) !== undefined) continue
      missing.set(entry, (missing.get(entry) ?? new Set()).add(name))
    }
  }
  if (missing.size === 0) return undefined
  const parts = [...missing]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([entry, names]) => `${entry} for: ${[...names].sort().join(',')}`)
  return `must specify ${parts.join('; ')}`
}
