/** Managers look different, however many there are. */
import { expect, it } from 'vitest'
import { initialsOf, lookOf } from '../../../src/app/features/ownership/looks'

const NAMES = Array.from({ length: 300 }, (_, index) => `manager-${index}`)
const looks = NAMES.map((name) => JSON.stringify(lookOf(name)))

it('gives the first ones looks of their own, and keeps them', () => {
  expect(new Set(looks.slice(0, 32)).size).toBe(32)
  expect(NAMES.map((name) => JSON.stringify(lookOf(name)))).toEqual(looks)
})

it('spreads all others over the same looks', () => {
  const later = looks.slice(32)
  const counts = [...new Set(later)].map((look) => later.filter((other) => other === look).length)
  expect(counts.length).toBeGreaterThan(24)
  expect(Math.max(...counts)).toBeLessThan(40)
})

it('gives each name initials of its own', () => {
  expect(new Set(initialsOf(NAMES).values()).size).toBe(NAMES.length)
})
