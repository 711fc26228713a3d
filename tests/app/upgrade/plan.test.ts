/** The steps of a change of the release, from the tables of the releases. */

import { describe, expect, it } from 'vitest'
import {
  gatesByEffect,
  releasesOnTheWay,
  sortedGates,
  stepsOf,
} from '../../../src/app/features/releases/plan'
import { STEPS } from '../../../src/engine/release-tables/tables'
import type { Release } from '../../../src/engine/releases'
import { kubeObject } from '../../support/json-objects'

const step = async (from: Release, to: Release) => {
  const [only] = await stepsOf(from, to, [])
  if (only === undefined) throw new Error('no step')
  return only
}

describe('the way', () => {
  it('has every release in between, upward and downward', () => {
    expect(releasesOnTheWay('1.33', '1.36')).toEqual(['1.33', '1.34', '1.35', '1.36'])
    expect(releasesOnTheWay('1.34', '1.32')).toEqual(['1.34', '1.33', '1.32'])
    expect(releasesOnTheWay('1.31', '1.31')).toEqual(['1.31'])
  })

  it('has one step for each pair', async () => {
    const steps = await stepsOf('1.31', '1.37', [])
    expect(steps.map(({ from, to }) => `${from} ${to}`)).toEqual([
      '1.31 1.32',
      '1.32 1.33',
      '1.33 1.34',
      '1.34 1.35',
      '1.35 1.36',
      '1.36 1.37',
    ])
  })
})

describe('a step', () => {
  it('lists APIs that come, and the same ones as gone on the way back', async () => {
    const up = await step('1.32', '1.33')
    expect(up.endpoints.appear.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toContain(
      'networking.k8s.io/v1 ServiceCIDR',
    )
    const down = await step('1.33', '1.32')
    expect(down.endpoints.vanish).toEqual(up.endpoints.appear)
    expect(down.endpoints.appear).toEqual(up.endpoints.vanish)
  })

  it('names the tables that replace those of a release without a recording', async () => {
    const expected = STEPS.includes('1.34') ? undefined : '1.33'
    expect((await step('1.33', '1.34')).tables).toBe(expected)
    expect((await step('1.32', '1.33')).tables).toBeUndefined()
    expect((await step('1.20', '1.21')).tables).toBeUndefined()
  })

  it('lists removed versions', async () => {
    const { endpoints } = await step('1.31', '1.32')
    expect(endpoints.vanish.map(({ apiVersion }) => apiVersion)).toContain(
      'flowcontrol.apiserver.k8s.io/v1beta3',
    )
  })

  it('sorts gates by what changes', async () => {
    const steps = await stepsOf('1.31', '1.37', [])
    const gates = steps.flatMap((one) => one.gates)
    const names = (changes: typeof gates) => changes.map(({ name }) => name)
    const { on, gone, off } = sortedGates(gates)
    expect(names(on)).toEqual(expect.arrayContaining(['HostnameOverride', 'PodLevelResources']))
    expect(names(gone)).toEqual(expect.arrayContaining(['SidecarContainers']))
    expect(off.every(({ after }) => after?.default === false)).toBe(true)
    const back = (await stepsOf('1.37', '1.31', [])).flatMap((one) => one.gates)
    // Removed as stable: going back turns nothing on.
    expect(names(sortedGates(back).on)).not.toContain('SidecarContainers')
    expect(names(sortedGates(back).off)).toContain('PodLevelResources')
  })

  it('groups the gates of the release by what setting them does here', async () => {
    const { gates } = await step('1.32', '1.33')
    const groups = gatesByEffect(gates)
    const present = gates.filter(({ after }) => after !== undefined)
    expect(groups.flatMap(({ names }) => names).sort()).toEqual(
      present.map(({ name }) => name).sort(),
    )
    const named = (name: string) => groups.find(({ names }) => names.includes(name))
    const [locked = '', beta = ''] = ['GA', 'BETA'].map(
      (stage) => present.find(({ after }) => after?.stage === stage)?.name ?? '',
    )
    expect(named(locked)?.kind).toMatch(/locked|withoutEffect/)
    expect(named(beta)?.kind).not.toBe('locked')
    for (const { kind, why } of groups) if (kind === 'withoutEffect') expect(why).not.toBe('')
  })

  it.each([
    ['WatchList', { stage: 'BETA' }, { kind: 'obeyed' }],
    ['WatchList', { stage: 'GA' }, { kind: 'obeyed' }],
    ['WatchList', { stage: 'GA', locked: true }, { kind: 'locked' }],
    [
      'KubeletTracing',
      { stage: 'GA', locked: true },
      { kind: 'withoutEffect', why: 'only the kubelet reads it, and nodes are simulated' },
    ],
    ['AnotherGate', { stage: 'ALPHA' }, { kind: 'fixed' }],
  ])('%s in state %o is %o', (name, state, effect) => {
    const [group] = gatesByEffect([{ name, after: { ...state, default: true } }])
    expect(group).toEqual({ ...effect, names: [name] })
  })

  it('lists named changes of behavior in both directions', async () => {
    const up = await step('1.32', '1.33')
    expect(up.behavior.map(({ name }) => name)).toContain('PodGeneration')
    expect((await step('1.33', '1.32')).behavior).toEqual(up.behavior)
  })

  it('counts the stored objects of kinds with another storage version', async () => {
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'a' } }
    const [only] = await stepsOf('1.21', '1.22', [kubeObject(budget)])
    expect(only?.storage).toContainEqual({
      group: 'policy',
      kind: 'PodDisruptionBudget',
      before: 'v1beta1',
      after: 'v1',
      objects: 1,
    })
  })
})
