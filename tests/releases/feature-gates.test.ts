/** Feature gates of each release: their states, and the errors and warnings of settings. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { applied, type Difference } from '../../src/engine/release-tables/difference'
import { gateWithoutEffect } from '../../src/engine/release-tables/gates-without-effect'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { type ReleaseTables, tablesOf } from '../../src/engine/release-tables/tables'
import { ALL_RELEASES, hasCome, type Release } from '../../src/engine/releases'
import { servedGroups } from '../../src/engine/releases/served'
import { gatesOf, gateWarnings } from '../../src/engine/server/gates'

const RELEASES = ALL_RELEASES.filter((release) => hasCome('1.31', release))

beforeAll(() => loadTables('1.37'))

const tablesAt = (release: string): ReleaseTables => tablesOf(release) as ReleaseTables

/** The error of a setting such as `WatchList=true`, or the warnings, or nothing. */
function outcomeOf(release: string, setting: string): string {
  const given = Object.fromEntries(
    setting.split(',').map((text) => [text.split('=')[0] ?? '', text.endsWith('=true')]),
  )
  try {
    gatesOf(given, tablesAt(release))
  } catch (error) {
    return (error as Error).message
  }
  return gateWarnings(given, tablesAt(release)).join()
}

describe.each(RELEASES)('release %s', (release) => {
  it('locks the gates that the sources lock', () => {
    const gates = Object.entries(tablesAt(release).gates())
    const wrong = gates.filter(([name, { locked, default: isOn }]) => {
      const text = `cannot set feature gate ${name} to ${!isOn}, feature is locked to ${isOn}`
      return (outcomeOf(release, `${name}=${!isOn}`) === text) !== (locked ?? false)
    })
    expect(wrong).toEqual([])
    expect(gates.filter(([, { locked }]) => locked).length).toBeGreaterThan(20)
  })

  it('rejects gates that it does not have', () => {
    const elsewhere = RELEASES.flatMap((other) => Object.keys(tablesAt(other).gates())).filter(
      (name) => !Object.hasOwn(tablesAt(release).gates(), name),
    )
    expect(elsewhere.length).toBeGreaterThan(50)
    for (const name of [...elsewhere, 'Unknown', 'constructor'])
      expect(outcomeOf(release, `${name}=true`)).toBe(`unrecognized feature gate: ${name}`)
  })

  it('warns of gates that will be removed', () => {
    for (const [name, { stage, default: isOn }] of Object.entries(tablesAt(release).gates())) {
      const end = `feature gate ${name}=${isOn}. It will be removed in a future release.`
      const expected = { GA: `Setting GA ${end}`, DEPRECATED: `Setting deprecated ${end}` }[stage]
      const why = gateWithoutEffect(name)
      const warnings = [expected, why && `feature gate ${name} has no effect: ${why}`]
      expect(outcomeOf(release, `${name}=${isOn}`)).toBe(warnings.filter(Boolean).join())
    }
  })
})

it.each([
  ['MutatingAdmissionPolicy', { 1.31: 'ALPHA', 1.33: 'ALPHA', 1.34: 'BETA', 1.36: 'GA' }],
  ['PodObservedGenerationTracking', { 1.33: 'ALPHA', 1.34: 'BETA', 1.35: 'GA locked' }],
  ['AuthorizeNodeWithSelectors', { 1.31: 'ALPHA', 1.32: 'BETA', 1.34: 'GA locked' }],
  ['AppArmor', { 1.31: 'GA locked', 1.32: 'GA locked' }],
  ['TopologyManagerPolicyOptions', { 1.31: 'BETA', 1.32: 'GA', 1.36: 'GA locked' }],
])('%s has the stages of its history', (name, stages) => {
  for (const [release, expected] of Object.entries(stages)) {
    const gate = tablesAt(release).gates()[name]
    expect([release, `${gate?.stage}${gate?.locked ? ' locked' : ''}`]).toEqual([release, expected])
  }
})

it('has the recorded stages and defaults', () => {
  let gates = tablesAt('1.31').table('featureGates')
  for (const release of ['1.31', '1.33', '1.35', '1.37']) {
    if (release !== '1.31') {
      const url = new URL(`../../facts/releases/${release}.json`, import.meta.url)
      const { 'feature-gates': difference } = JSON.parse(readFileSync(url, 'utf8')) as {
        'feature-gates': Difference
      }
      gates = applied(gates as never, difference) as unknown as typeof gates
    }
    const states = Object.entries(tablesAt(release).gates()).map(([name, gate]) => [
      name,
      { stage: gate.stage, default: gate.default },
    ])
    expect(Object.fromEntries(states)).toEqual(gates)
  }
})

describe('gates that need others', () => {
  const nodes = 'AuthorizeWithSelectors=false'
  const tokens = 'ServiceAccountTokenNodeBindingValidation=false'

  it.each([
    ['1.31', nodes, ''],
    [
      '1.32',
      nodes,
      'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
    ],
    [
      '1.31',
      tokens,
      'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled',
    ],
    [
      '1.35',
      'UserNamespacesSupport=false',
      'ProcMountType is enabled, but depends on features that are disabled: [UserNamespacesSupport]',
    ],
    [
      '1.37',
      'ClusterTrustBundle=false',
      'ClusterTrustBundleProjection is enabled, but depends on features that are disabled: [ClusterTrustBundle]',
    ],
    ['1.37', 'ClusterTrustBundle=false,ClusterTrustBundleProjection=false', /^Setting GA/],
    ['1.37', 'AllBeta=false', ''],
  ])('at %s, %s is %j', (release, setting, expected) =>
    typeof expected === 'string'
      ? expect(outcomeOf(release, setting)).toBe(expected)
      : expect(outcomeOf(release, setting)).toMatch(expected),
  )
})

describe('resources behind gates', () => {
  const resources = (release: Release, off: string[], config = {}): string[] => {
    const given = Object.fromEntries(off.map((name) => [name, false]))
    const gates = gatesOf(given, tablesAt(release))
    return servedGroups(config, release, gates).flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map(({ resource }) => `${metadata.name}/${version}/${resource}`),
      ),
    )
  }

  it.each([
    ['1.37', 'storagemigration.k8s.io/v1/storageversionmigrations', ['StorageVersionMigrator']],
    [
      '1.37',
      'certificates.k8s.io/v1/clustertrustbundles',
      ['ClusterTrustBundle', 'ClusterTrustBundleProjection'],
    ],
  ] as const)('at %s, %s is not served without its gate', (release, resource, gates) => {
    expect(resources(release, [])).toContain(resource)
    expect(resources(release, [...gates])).not.toContain(resource)
    expect(resources(release, [...gates], { 'api/all': 'true' })).not.toContain(resource)
  })
})
