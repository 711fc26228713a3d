/**
 * Families of `/metrics` as recorded from kube-apiserver 1.31: each is the same here, or
 * docs/differences.md lists it as absent.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAMILIES, type FamilyName } from '../../src/engine/telemetry/families/families'
import type { Family } from '../../src/engine/telemetry/families/family'
import { readExposition } from '../support/exposition'
import { testServer } from '../support/server'
import { metricsAfter, TRAFFIC } from '../support/traffic'

interface RecordedFamily {
  name: string
  type: string
  help: string
  /** Absent: it had no series. */
  labels?: string[]
  buckets?: number[]
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const RECORDED: readonly RecordedFamily[] = JSON.parse(read('./families-1.31.json'))

/** Patterns of the list of absent families in docs/differences.md. */
function absentPatterns(): RegExp[] {
  const [, section = ''] = read('../../docs/differences.md').split('\n### Metric families\n')
  const [table = ''] = section.split('\n## ')
  const rows = table.split('\n').flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
  return rows.flatMap((row) =>
    [...row.matchAll(/`([^`]+)`/g)].map(
      ([, name = '']) => new RegExp(`^${name.replaceAll('*', '.*')}$`),
    ),
  )
}

const familyOf = (name: string): Family | undefined => FAMILIES[name as FamilyName]
const known = RECORDED.filter(({ name }) => familyOf(name) !== undefined)

describe.each(known)('$name', ({ name, type, labels, buckets }) => {
  it('has the type, labels and buckets of kube-apiserver', () => {
    const family = familyOf(name) as Family
    expect(family.type).toBe(type)
    if (labels)
      expect([...family.labels, ...Object.keys(family.constant ?? {})].sort()).toEqual(labels)
    if (buckets) expect(family.buckets).toEqual(buckets)
  })
})

it('prints the help texts of kube-apiserver', async () => {
  const printed = readExposition(await metricsAfter(testServer(), TRAFFIC))
  const expected = new Map(RECORDED.map(({ name, help }) => [name, help]))
  const differing = printed.flatMap(({ name, help }) =>
    expected.has(name) && expected.get(name) !== help ? [`${name}: ${help}`] : [],
  )
  expect(differing).toEqual([])
})

it('lists each family that is absent', () => {
  const patterns = absentPatterns()
  const unlisted = RECORDED.filter(
    ({ name }) => familyOf(name) === undefined && !patterns.some((pattern) => pattern.test(name)),
  )
  expect(unlisted.map(({ name }) => name)).toEqual([])
})
