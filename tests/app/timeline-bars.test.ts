import { describe, expect, it } from 'vitest'
import { barsOf, indexOf } from '../../src/app/features/cluster/timeline-bars'
import type { Change } from '../../src/hosts/shared/channel'

const changes = (...types: Change['type'][]): Change[] =>
  types.map((type, index) => ({
    revision: 10 + 2 * index,
    type,
    kind: 'Pod',
    namespace: 'default',
    name: `web-${index}`,
    at: undefined,
  }))

describe('the bars of the history', () => {
  it('are one per change, named by its revision, while there are few', () => {
    expect(barsOf(changes('ADDED', 'MODIFIED', 'DELETED'))).toEqual([
      { key: 10, height: 100, kind: 'made' },
      { key: 12, height: 34, kind: 'changed' },
      { key: 14, height: 100, kind: 'removed' },
    ])
  })

  it('cover several changes each when there are many', () => {
    const many = changes(...Array.from({ length: 1000 }, (_, index) => KINDS[index % 5] ?? 'ADDED'))
    const bars = barsOf(many)
    expect(bars.length).toBe(200)
    expect(new Set(bars.map(({ kind }) => kind))).toEqual(new Set(['removed']))
  })

  it('are none without changes', () => {
    expect(barsOf([])).toEqual([])
  })
})

const KINDS: Change['type'][] = ['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED', 'DELETED']

it.each([
  [9, -1],
  [10, 0],
  [11, 0],
  [14, 2],
  [99, 2],
])('revision %d is shown by change %d', (revision, index) => {
  expect(indexOf(changes('ADDED', 'MODIFIED', 'DELETED'), revision)).toBe(index)
})
