/** Topology spread of changed states, as preemption evaluates them. */
import fc from 'fast-check'
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { describe, expect, it } from 'vitest'
import type { Stored } from '../../src/engine/controllers/runtime/stored'
import { type NodeState, stateWith } from '../../src/engine/controllers/scheduler/cluster'
import { newScheduling } from '../../src/engine/controllers/scheduler/scheduling'
import { spreadProblem } from '../../src/engine/controllers/scheduler/spread'

const node = (index: number, zone: string, ready: boolean): Stored<Node> => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `n${index}`, uid: `n${index}`, labels: { zone, host: `n${index}` } },
  spec: ready ? {} : { taints: [{ key: 'x', effect: 'NoSchedule' }] },
})
const pod = (uid: string, spec: object = {}): Stored<Pod> =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: uid, uid, namespace: 'default', labels: { app: 'a' } },
    spec: { containers: [], ...spec },
  }) as unknown as Stored<Pod>

const podsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => pod(`${name}-${i}`))

/** A scheduling cycle that counts how often the nodes are enumerated. */
function cycle(incoming: Stored<Pod>, states: NodeState[]) {
  const counted = { enumerations: 0 }
  const nodes = new Proxy(states, {
    get(target, member) {
      if (member === Symbol.iterator) counted.enumerations++
      return Reflect.get(target, member)
    },
  })
  const volumes = {
    problem: undefined,
    problemBy: 'VolumeBinding' as const,
    filter: () => undefined,
    bind: async () => true,
  }
  const labelsOfNamespace = () => ({})
  return {
    counted,
    scheduling: newScheduling({ pod: incoming, nodes, volumes, labelsOfNamespace, kin: [] }),
  }
}

const constraint = fc.record({
  maxSkew: fc.constantFrom(1, 2),
  topologyKey: fc.constantFrom('zone', 'host'),
  whenUnsatisfiable: fc.constant('DoNotSchedule'),
  labelSelector: fc.constantFrom({ matchLabels: { app: 'a' } }, { matchLabels: { app: 'b' } }, {}),
  nodeTaintsPolicy: fc.constantFrom('Honor', 'Ignore'),
  minDomains: fc.constantFrom(1, 3),
})
const nodes = fc.array(
  fc.record({
    zone: fc.constantFrom('a', 'b', 'c'),
    ready: fc.boolean(),
    before: fc.nat({ max: 4 }),
    after: fc.nat({ max: 4 }),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('a changed state of a node', () => {
  it('is counted as if its node had always had these labels', () => {
    fc.assert(
      fc.property(nodes, fc.array(constraint, { minLength: 1, maxLength: 2 }), (given, spreads) => {
        const incoming = pod('incoming', { topologySpreadConstraints: spreads })
        const states = given.map(({ zone, ready, before }, i) =>
          stateWith(node(i, zone, ready), podsOf(`n${i}`, before)),
        )
        const { scheduling } = cycle(incoming, states)
        for (const [i, { after }] of given.entries()) {
          const present = states[i] as NodeState
          const changed = stateWith(present.node, podsOf(`n${i}`, after))
          const afresh = cycle(incoming, states.with(i, changed)).scheduling
          expect(spreadProblem(scheduling, changed)).toEqual(spreadProblem(afresh, changed))
          expect(spreadProblem(scheduling, present)).toEqual(
            spreadProblem(cycle(incoming, states).scheduling, present),
          )
        }
      }),
    )
  })

  it('causes no other node to be counted again', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'host',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'a' } },
    }
    const states = Array.from({ length: 50 }, (_, i) =>
      stateWith(node(i, 'a', true), podsOf(`n${i}`, 2)),
    )
    const { scheduling, counted } = cycle(
      pod('incoming', { topologySpreadConstraints: [constraint] }),
      states,
    )
    for (const state of states)
      for (const left of [0, 1]) spreadProblem(scheduling, stateWith(state.node, podsOf('x', left)))
    // Once at the start of the cycle, and once to count.
    expect(counted.enumerations).toBe(2)
  })
})
