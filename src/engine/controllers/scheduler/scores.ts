/** Plugins and weights of the default profile. */
import { largest, smallest } from '../../core/lists'
import { matchesTerm } from '../shared/node-affinity'
import { taintsOf, tolerationOf } from '../shared/taints'
import { affinityPreference } from './affinity'
import { COUNTED, countedOf, type NodeState, requestsOf } from './cluster'
import { spreadMarks } from './spread'
import type { Scheduling } from './types'

interface Score {
  weight: number
  /** @returns 0 to 100 per node */
  of(scheduling: Scheduling, states: readonly NodeState[]): number[]
}

function shares({ pod }: Scheduling, { requested, allocatable }: NodeState): number[] {
  return COUNTED.flatMap((name) => {
    const capacity = allocatable.get(name) ?? 0
    return capacity === 0
      ? []
      : [Math.min(1, ((requested.get(name) ?? 0) + (requestsOf(pod).get(name) ?? 0)) / capacity)]
  })
}

/** Percent left; pods without requests count with defaults. */
function leftOver({ pod }: Scheduling, { counted, allocatable }: NodeState): number[] {
  return COUNTED.flatMap((name) => {
    const capacity = allocatable.get(name) ?? 0
    if (capacity === 0) return []
    const left = capacity - (counted.get(name) ?? 0) - countedOf(pod, name)
    return [Math.max(0, Math.floor((100 * left) / capacity))]
  })
}

function byLargest(values: number[], lessIsBetter: boolean): number[] {
  const most = largest(values)
  const marks = values.map((value) => (most === 0 ? 0 : Math.floor((100 * value) / most)))
  return lessIsBetter ? marks.map((mark) => 100 - mark) : marks
}

function byRange(values: number[]): number[] {
  const [least, most] = [smallest(values), largest(values)]
  return values.map((value) =>
    most === least ? 0 : Math.floor(100 * ((value - least) / (most - least))),
  )
}

const SCORES: Score[] = [
  {
    weight: 1,
    of: (scheduling, states) =>
      states.map((state) => {
        const left = leftOver(scheduling, state)
        return left.length === 0
          ? 0
          : Math.floor(left.reduce((sum, mark) => sum + mark, 0) / left.length)
      }),
  },
  {
    weight: 1,
    of: (scheduling, states) =>
      states.map((state) => {
        const [cpu = 0, memory = cpu] = shares(scheduling, state)
        return Math.floor(100 * (1 - Math.abs(cpu - memory) / 2))
      }),
  },
  {
    weight: 3,
    of: ({ pod }, states) => {
      const tolerations = (pod.spec?.tolerations ?? []).filter(
        ({ effect }) => !effect || effect === 'PreferNoSchedule',
      )
      const untolerated = ({ node }: NodeState) =>
        taintsOf(node).filter(
          (taint) =>
            taint.effect === 'PreferNoSchedule' && tolerationOf(tolerations, taint) === undefined,
        ).length
      return byLargest(states.map(untolerated), true)
    },
  },
  {
    weight: 2,
    of: ({ pod }, states) => {
      const preferred =
        pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
      const sumOf = ({ node }: NodeState) =>
        preferred
          .filter(({ preference }) => matchesTerm(preference, node))
          .reduce((sum, { weight }) => sum + weight, 0)
      return byLargest(states.map(sumOf), false)
    },
  },
  {
    weight: 2,
    of: (scheduling, states) =>
      byRange(states.map((state) => affinityPreference(scheduling, state))),
  },
  { weight: 2, of: spreadMarks },
]

/** The first of equal nodes. */
export function bestOf(scheduling: Scheduling, states: NodeState[]): NodeState | undefined {
  if (states.length < 2) return states[0]
  const totals = states.map(() => 0)
  for (const { weight, of } of SCORES) {
    of(scheduling, states).forEach((marks, i) => {
      totals[i] = (totals[i] ?? 0) + weight * marks
    })
  }
  const best = largest(totals)
  return states[totals.indexOf(best)]
}
