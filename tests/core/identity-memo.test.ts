import { describe, expect, it } from 'vitest'
import { memoizeByIdentity } from '../../src/engine/core/identity-memo'

describe('a memo by identity', () => {
  it('computes once for each object, and again for a copy', () => {
    let computed = 0
    const size = memoizeByIdentity((value: { items: string[] }) => {
      computed++
      return value.items.length
    })
    const value = { items: [] }
    expect([size(value), size(value), computed]).toEqual([0, 0, 1])
    expect([size({ ...value }), computed]).toEqual([0, 2])
  })

  it('does not keep an error', () => {
    let fails = true
    const read = memoizeByIdentity((value: { text: string }) => {
      if (fails) throw new Error('unreadable')
      return value.text
    })
    const value = { text: 'a' }
    expect(() => read(value)).toThrow('unreadable')
    fails = false
    expect(read(value)).toBe('a')
  })
})
