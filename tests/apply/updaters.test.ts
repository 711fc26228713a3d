/** How many updaters an object remembers: the oldest are gathered in one entry a version (recorded). */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/object'
import { apply, update, type Written } from './widget'

const CAP = 10
const BUCKET = 'ancient-changes'
const minute = (index: number): string => `2026-01-01T00:${String(index).padStart(2, '0')}:00Z`

/** Every updater, one a minute, adds an option of its own. */
function writtenBy(count: number, start?: Written): Written {
  let live = start
  const options: JsonObject = {}
  for (let index = 0; index < count; index++) {
    options[`o${index}`] = ''
    live = update(live, `u${index}`, { options: { ...options } }, { time: minute(index) })
  }
  if (live === undefined) throw new Error('nobody wrote')
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

  it('above that lose the two oldest to a bucket that owns what they did, at the time of the younger one', () => {
    const live = writtenBy(CAP + 1)
    expect(names(live)).toEqual([
      BUCKET,
      ...Array.from({ length: CAP - 1 }, (_, index) => `u${index + 2}`),
    ])
    expect(optionsOf(live, BUCKET)).toEqual(['f:o0', 'f:o1'])
    expect(live.managers[0]?.time).toBe(minute(1))
  })

  it('that come later go into the same bucket', () => {
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
