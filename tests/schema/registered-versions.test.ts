import { beforeAll, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { type ReleaseTables, tablesOf } from '../../src/engine/release-tables/tables'
import { registeredVersions } from '../../src/engine/schema/registered-versions'

beforeAll(() => loadTables('1.37'))

const versionsAt = (release: string): string[] =>
  registeredVersions(tablesOf(release) as ReleaseTables).map(
    ({ group, version }) => `${group}/${version}`,
  )

// The base release also has messages of earlier ones.
it.each(['1.33', '1.35'])(
  'are those in which the types of %s name the options of a deletion',
  (release) => {
    const foreign = /^(admission|apiextensions|apiregistration|imagepolicy)\.k8s\.io\//
    const named = tablesOf(release)?.table('commonVersions').DeleteOptions?.split(' ') ?? []
    expect(versionsAt(release)).toEqual(named.filter((version) => !foreign.test(version)))
  },
)

it('are those of the release, served or not', () => {
  const versions = versionsAt('1.37')
  expect(versions).toEqual(
    expect.arrayContaining([
      '/v1',
      'apps/v1beta1',
      'extensions/v1beta1',
      'lifecycle.k8s.io/v1alpha1',
    ]),
  )
  expect(versions).not.toContain('autoscaling/v2beta2')
  expect(versions).not.toContain('admission.k8s.io/v1')
})
