import { describe, expect, it } from 'vitest'
import { DISCOVERY } from '../../src/engine/generated/discovery'
import {
  allVersions,
  parseRelease,
  RELEASES,
  type Release,
  rowsOfTable,
  servedVersions,
  storageVersionOf,
} from '../../src/engine/releases'
import { discoveryOf } from '../../src/engine/releases/discovery'

const isServed = (release: Release, apiVersion: string, kind: string) =>
  servedVersions(release).some((served) => served.apiVersion === apiVersion && served.kind === kind)

const preferred = (release: Release, group: string) =>
  discoveryOf(release).byDefault.find(({ metadata }) => metadata.name === group)?.versions[0]
    ?.version

describe('served versions of a release', () => {
  it('are those of the facts for the default release', () => {
    expect(discoveryOf('1.31').byDefault).toBe(DISCOVERY)
  })

  it('begin with the release that introduced them', () => {
    expect(isServed('1.22', 'autoscaling/v2', 'HorizontalPodAutoscaler')).toBe(false)
    expect(isServed('1.23', 'autoscaling/v2', 'HorizontalPodAutoscaler')).toBe(true)
    expect(isServed('1.15', 'authorization.k8s.io/v1', 'SelfSubjectAccessReview')).toBe(true)
  })

  it('omit alpha versions, which are enabled explicitly', () => {
    const alpha = (list: ReturnType<typeof servedVersions>) =>
      list.filter(({ stage }) => stage === 'alpha').length
    for (const release of RELEASES) expect(alpha(servedVersions(release))).toBe(0)
    expect(alpha(allVersions('1.21'))).toBeGreaterThan(0)
  })

  it('leave beta versions out that came with 1.24 or later, but where they continue one that is on', () => {
    const late = RELEASES.flatMap((release) => servedVersions(release)).filter(
      ({ stage, lifecycle }) => stage === 'beta' && Number(lifecycle.introduced.slice(2)) >= 24,
    )
    expect([...new Set(late.map(({ apiVersion }) => apiVersion))]).toEqual([
      'flowcontrol.apiserver.k8s.io/v1beta3',
    ])
  })

  it('put a version first when the release before served it too (rule 4b)', () => {
    expect(preferred('1.23', 'autoscaling')).toBe('v1')
    expect(preferred('1.24', 'autoscaling')).toBe('v2')
    expect(preferred('1.21', 'policy')).toBe('v1beta1')
    expect(preferred('1.22', 'policy')).toBe('v1')
  })

  it('store a kind in a new version one release after it came (rule 4b)', () => {
    expect(storageVersionOf('batch', 'CronJob', '1.21')).toBe('v1beta1')
    expect(storageVersionOf('batch', 'CronJob', '1.22')).toBe('v1')
    expect(storageVersionOf('batch', 'Job', '1.21')).toBe('v1')
  })
})

it('releases are read with and without their patch', () => {
  expect(parseRelease('v1.21.3')).toBe('1.21')
  expect(parseRelease('1.32')).toBe('1.32')
  expect(parseRelease('1.14')).toBeUndefined()
  expect(parseRelease('1.21-rc')).toBeUndefined()
})

describe('each row of the table of removed versions', () => {
  for (const row of rowsOfTable()) {
    it(`${row.name}: what it names is served until the release before, and its replacement in time`, () => {
      for (const kind of row.kinds) {
        const before = RELEASES[RELEASES.indexOf(row.release) - 1] as Release
        const removed = row.removed.filter((apiVersion) => isServed(before, apiVersion, kind))
        expect(removed.length).toBeGreaterThan(0)
        for (const apiVersion of row.removed)
          expect(isServed(row.release, apiVersion, kind)).toBe(false)
        const replaced = row.replacements.filter(({ apiVersion }) =>
          isServed(before, apiVersion, kind),
        )
        expect(replaced.length > 0).toBe(row.replacements.length > 0)
        for (const { apiVersion, since } of row.replacements)
          for (const release of RELEASES.slice(
            Math.max(0, RELEASES.indexOf(since as Release)),
            RELEASES.indexOf(row.release),
          ))
            expect(isServed(release, apiVersion, kind)).toBe(true)
      }
    })
  }
})
