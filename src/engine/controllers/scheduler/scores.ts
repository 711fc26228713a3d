/** Which of the nodes that would do is the best: each plugin's marks from 0 to 100, weighted as in the default profile. */
import { matchesTerm } from '../shared/node-affinity'
import { taintsOf, tolerates } from '../shared/taints'
import { affinityPreference } from './affinity'
import { COUNTED, countedOf, type NodeState } from './cluster'
import type { Scheduling } from './filters'
import { crowding } from './spread'

interface Score {
  weight: number
  /** More is better, unless `reversed`; brought to 0..100 over all nodes unless it is there already. */
  of(scheduling: Scheduling, state: NodeState): number
  normalized?: 'up' | 'down'
}

/** The shares of cpu and memory that would be taken. */
function shares({ pod }: Scheduling, { counted, allocatable }: NodeState): number[] {
  return COUNTED.flatMap((name) => {
    const capacity = allocatable.get(name) ?? 0
    if (capacity === 0) return []
    return [Math.min(1, ((counted.get(name) ?? 0) + countedOf(pod, name)) / capacity)]
  })
}

const SCORES: Score[] = [
  {
    weight: 1,
    of(scheduling, state) {
      const taken = shares(scheduling, state)
      return taken.length === 0 ? 0 : (100 * taken.reduce((sum, share) => sum + 1 - share, 0)) / taken.length
    },
  },
  {
    weight: 1,
    of(scheduling, state) {
      const [cpu = 0, memory = cpu] = shares(scheduling, state)
      return 100 * (1 - Math.abs(cpu - memory) / 2)
    },
  },
  {
    weight: 3,
    normalized: 'down',
    of: ({ pod }, { node }) =>
      taintsOf(node).filter(
        (taint) => taint.effect === 'PreferNoSchedule' && !(pod.spec?.tolerations ?? []).some((toleration) => tolerates(toleration, taint)),
      ).length,
  },
  {
    weight: 2,
    normalized: 'up',
    of: ({ pod }, { node }) =>
      (pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
        .filter(({ preference }) => matchesTerm(preference, node))
        .reduce((sum, { weight }) => sum + weight, 0),
  },
  { weight: 2, normalized: 'up', of: affinityPreference },
  { weight: 2, normalized: 'down', of: crowding },
]

/** The best of the nodes; the first of several that are equally good. */
export function bestOf(scheduling: Scheduling, states: NodeState[]): NodeState | undefined {
  if (states.length < 2) return states[0]
  const totals = states.map(() => 0)
  for (const { weight, of, normalized } of SCORES) {
    const raw = states.map((state) => of(scheduling, state))
    const [least, most] = [Math.min(...raw), Math.max(...raw)]
    raw.forEach((value, i) => {
      const share = most === least ? 0 : (value - least) / (most - least)
      const marks = normalized === undefined ? value : normalized === 'up' ? share * 100 : (1 - share) * 100
      totals[i] = (totals[i] ?? 0) + weight * marks
    })
  }
  const best = Math.max(...totals)
  return states[totals.indexOf(best)]
}
