import type { Node, Taint } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import { NODE_TAINT } from '../shared/taints'
import type { Evictions } from './zones'

/** Keys by condition type and status. */
const BY_CONDITION: Record<string, Record<string, string>> = {
  Ready: { False: NODE_TAINT.notReady, Unknown: NODE_TAINT.unreachable },
  MemoryPressure: { True: NODE_TAINT.memoryPressure },
  DiskPressure: { True: NODE_TAINT.diskPressure },
  NetworkUnavailable: { True: NODE_TAINT.networkUnavailable },
  PIDPressure: { True: NODE_TAINT.pidPressure },
}

const OWN: readonly string[] = [
  ...Object.values(BY_CONDITION).flatMap((keys) => Object.values(keys)),
  NODE_TAINT.unschedulable,
]

function scheduleKeys({ spec, status }: Node): string[] {
  const keys = (status?.conditions ?? []).flatMap(
    ({ type, status: state }) => entryOf(entryOf(BY_CONDITION, type), state) ?? [],
  )
  return spec?.unschedulable ? [...keys, NODE_TAINT.unschedulable] : keys
}

/** @param time of new taints @returns undefined if unchanged */
export function scheduleTaints(node: Node, time: string): Taint[] | undefined {
  const wanted = scheduleKeys(node)
  const present = node.spec?.taints ?? []
  const own = ({ key, effect }: Taint) => effect === 'NoSchedule' && OWN.includes(key)
  const missing = wanted.filter(
    (key) => !present.some((taint) => taint.effect === 'NoSchedule' && taint.key === key),
  )
  const kept = present.filter((taint) => !own(taint) || wanted.includes(taint.key))
  if (missing.length === 0 && kept.length === present.length) return undefined
  return [...kept, ...missing.map((key): Taint => ({ key, effect: 'NoSchedule', timeAdded: time }))]
}

/** For NoExecute. @param evictions whether the zone may be tainted now */
export function executeTaints(node: Node, time: string, evictions: Evictions): Taint[] | undefined {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown'
  const wanted = entryOf(BY_CONDITION.Ready, ready)
  const present = node.spec?.taints ?? []
  const own = ({ key, effect }: Taint) =>
    effect === 'NoExecute' && (key === NODE_TAINT.notReady || key === NODE_TAINT.unreachable)
  const kept = present.filter(
    (taint) => !own(taint) || (taint.key === wanted && evictions !== 'revoked'),
  )
  const allowed = evictions === 'granted' || (evictions === 'held' && present.some(own))
  const missing = wanted !== undefined && allowed && !kept.some(own)
  if (!missing && kept.length === present.length) return undefined
  return missing ? [...kept, { key: wanted, effect: 'NoExecute', timeAdded: time }] : kept
}
