import fc from 'fast-check'
import type { MetricSpec } from 'kubernetes-types/autoscaling/v2'
import { describe, expect, it } from 'vitest'
import {
  computeReplicas,
  type MeasuredPod,
} from '../../src/engine/controllers/autoscaling/replica-calculator'
import {
  normalizeReplicas,
  type Past,
} from '../../src/engine/controllers/autoscaling/scaling-behavior'

describe('the replica calculator', () => {
  const NOW = Date.parse('2026-01-01T12:00:00Z')
  const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()
  const measured = (
    uses: Record<string, number> | undefined,
    status: object,
    requests: Record<string, string> = {},
  ): MeasuredPod => ({
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', resources: { requests } }] },
      status,
    } as never,
    usage: uses && new Map(Object.entries(uses)),
  })
  const since = (seconds: number, status: 'True' | 'False', start = 3600) => ({
    phase: 'Running',
    startTime: ago(start),
    conditions: [{ type: 'Ready', status, lastTransitionTime: ago(seconds) }],
  })
  const replicasOf = (metric: MetricSpec, pods: MeasuredPod[]) => {
    const proposal = computeReplicas(metric, pods, pods.length, NOW)
    return 'replicas' in proposal ? proposal.replicas : proposal.problem
  }
  const share = (name: string, averageUtilization: number): MetricSpec => ({
    type: 'Resource',
    resource: { name, target: { type: 'Utilization', averageUtilization } },
  })

  it('computes whole percentages', () => {
    const pods = [1, 2].map(() => measured({ cpu: 609 }, since(600, 'True'), { cpu: '1' }))
    expect(replicasOf(share('cpu', 55), pods)).toBe(2)
    expect(replicasOf(share('cpu', 54), pods)).toBe(3)
  })

  it('includes unready pods for memory, and for CPU if they were ready once', () => {
    const both = { cpu: 200, memory: 200 }
    const resources = { cpu: '100m', memory: '100' }
    const pods = (unready: object) => [
      measured(both, since(600, 'True'), resources),
      measured(both, unready, resources),
    ]
    expect(replicasOf(share('memory', 100), pods(since(600, 'False')))).toBe(4)
    expect(replicasOf(share('cpu', 100), pods(since(600, 'False')))).toBe(4)
    // Never ready, or not ready yet.
    expect(replicasOf(share('cpu', 100), pods(since(3590, 'False')))).toBe(2)
    expect(replicasOf(share('cpu', 100), pods(since(100, 'False', 200)))).toBe(2)
  })

  it('assumes usage for pods without metrics when scaling down', () => {
    const pods = [
      measured({ cpu: 10 }, since(600, 'True'), { cpu: '100m' }),
      measured(undefined, since(600, 'True'), { cpu: '100m' }),
    ]
    expect(replicasOf(share('cpu', 100), pods)).toBe(2)
    expect(replicasOf(share('cpu', 200), pods)).toBe(2)
    expect(replicasOf(share('cpu', 50), pods)).toBe(2)
  })

  it('ignores deleted and failed pods', () => {
    const pods = [
      measured({ cpu: 300 }, since(600, 'True'), { cpu: '100m' }),
      measured({ cpu: 0 }, { phase: 'Failed' }, { cpu: '100m' }),
    ]
    expect(replicasOf(share('cpu', 100), pods)).toBe(3)
  })
})

describe('scaling policies', () => {
  const at = (seconds: number, by: number) => ({ at: seconds * 1000, by })
  const size = (proposed: number, current: number, changes: Past['changes'], behavior: object) =>
    normalizeReplicas(
      proposed,
      { proposals: [], changes },
      { current, min: 1, max: 50, behavior, now: 100_000 },
    )

  it('count earlier scale events in both directions', () => {
    const scaleUp = { policies: [{ type: 'Pods', value: 3, periodSeconds: 60 }] }
    expect(size(20, 8, [at(80, 2), at(90, -4)], { scaleUp }).replicas).toBe(13)
  })

  it('never turn a scale-up into a scale-down', () => {
    const scaleUp = { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] }
    expect(size(20, 8, [at(80, 6)], { scaleUp })).toMatchObject({
      replicas: 8,
      limited: ['True', 'ScaleUpLimit', expect.any(String)],
    })
  })
})

it('clamps any proposal to the limits, and scales up to the maximum of double or four', () => {
  const proposals = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(
      proposals,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 5, max: 50 }),
      (sequence, min, max) => {
        const past: Past = { proposals: [], changes: [] }
        let current = min
        sequence.forEach((proposed, i) => {
          const now = i * 15_000
          const { replicas } = normalizeReplicas(proposed, past, {
            current,
            min,
            max,
            behavior: undefined,
            now,
          })
          expect(replicas).toBeGreaterThanOrEqual(min)
          expect(replicas).toBeLessThanOrEqual(max)
          expect(replicas).toBeLessThanOrEqual(Math.max(4, current * 2))
          if (replicas !== current) past.changes.push({ at: now, by: replicas - current })
          current = replicas
        })
      },
    ),
  )
})
