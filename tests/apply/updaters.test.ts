/**
 * The number of updaters in managedFields is limited: the oldest are merged into one entry of each
 * version. Recorded from kube-apiserver 1.31.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { apply, update, type Written } from './widget'

const CAP = 10
const BUCKET = 'ancient-changes'
const minute = (index: number): string => `2026-01-01T00:${String(index).padStart(2, '0')}:00Z`

/** Every updater adds an option of its own, one a minute. */
function writtenBy(count: number, start?: Written): Written {
  let live = start
  const options: JsonObject = {}
  for (let index = 0; index < count; index++) {
    options[`o${index}`] = ''
    live = update(live, `u${index}`, { options: { ...options } }, { time: minute(index) })
  }
  if (live === undefined) throw new Error('no manager wrote')
  return live
}

const names = ({ managers }: Written) => managers.map(({ manager }) => manager)
const optionsOf = ({ managers }: Written, name: string): string[] => {
  const spec = managers.find(({ manager }) => manager === name)?.fieldsV1?.['f:spec'] as JsonObject
  return Object.keys(spec['f:options'] as JsonObject).filter((element) => element !== '.')
}

describe('updaters of one version', () => {
  it(`are kept apart up to ${CAP}`, () => {
    expect(names(writtenBy(CAP))).toEqual(Array.from({ length: CAP }, (_, index) => `u${index}`))
  })

  it('beyond that, the two oldest merge into one entry with the later time', () => {
    const live = writtenBy(CAP + 1)
    expect(names(live)).toEqual([
      BUCKET,
      ...Array.from({ length: CAP - 1 }, (_, index) => `u${index + 2}`),
    ])
    expect(optionsOf(live, BUCKET)).toEqual(['f:o0', 'f:o1'])
    expect(live.managers[0]?.time).toBe(minute(1))
  })

  it('that follow merge into the same entry', () => {
    const live = writtenBy(CAP + 5)
    expect(live.managers).toHaveLength(CAP)
    expect(optionsOf(live, BUCKET)).toEqual(['f:o0', 'f:o1', 'f:o2', 'f:o3', 'f:o4', 'f:o5'])
  })
})

it('appliers do not count', () => {
  let live = apply(undefined, 'a0', { options: {} })
  for (let index = 1; index <= CAP + 5; index++)
    live = apply(live, `a${index}`, { options: { [`o${index}`]: '' } })
  expect(live.managers.filter(({ operation }) => operation === 'Apply')).toHaveLength(CAP + 6)
})
