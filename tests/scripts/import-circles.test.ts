import { describe, expect, it } from 'vitest'
import { checkCircles } from '../../scripts/check-imports'
import { importCircles } from '../../scripts/import-circles'

const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges))

describe('import circles', () => {
  it('finds each circle once and leaves out files that only lead to one', () => {
    expect(
      importCircles(
        graph({
          entry: ['a'],
          a: ['b', 'leaf'],
          b: ['c'],
          c: ['a'],
          d: ['e'],
          e: ['d', 'a'],
          leaf: [],
        }),
      ),
    ).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
  })

  it('finds none in a tree with two ways to one file', () => {
    expect(importCircles(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([])
  })

  it('reports each circle with its files', () => {
    const circles = [
      ['a', 'b', 'c'],
      ['x', 'y'],
    ]
    expect(checkCircles(circles)).toEqual([
      'import circle of 3 files: a, b, c',
      'import circle of 2 files: x, y',
    ])
    expect(checkCircles([])).toEqual([])
  })
})
