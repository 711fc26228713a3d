import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/object'
import { canonicalize, escapeHtml } from '../../src/engine/schema/canonical'
import { decodeObject } from '../../src/engine/schema/decode'
import { recordedObjects } from './recordings'

/**
 * Whatever the real server writes is canonical: order of members, sorted maps, what is left out when empty and what is written
 * all the same. So reading it and writing it again must give the very same text.
 */
describe('objects that the real server wrote', () => {
  const objects = [...recordedObjects()]

  it('are many', () => {
    expect(objects.length).toBeGreaterThan(15_000)
  })

  it('are their own canonical form, letter by letter', () => {
    const different = objects.filter(({ type, text }) => {
      const canonical = canonicalize(type, JSON.parse(text) as KubeObject)
      return escapeHtml(JSON.stringify(canonical)) !== text
    })
    expect(different.map(({ where }) => where)).toEqual([])
  })

  it('are not even copied when they are canonical already', () => {
    const copied = objects.filter(({ type, text }) => {
      const object = JSON.parse(text) as KubeObject
      return canonicalize(type, object) !== object
    })
    expect(copied.map(({ where }) => where)).toEqual([])
  })

  it('decode to themselves without a problem', () => {
    const different = objects.filter(({ type, text }) => {
      const { object, problems } = decodeObject(type, JSON.parse(text))
      return problems.length > 0 || escapeHtml(JSON.stringify(object)) !== text
    })
    expect(different.map(({ where }) => where)).toEqual([])
  })

  it('come out in order when their members are shuffled', () => {
    const sample = objects.filter((_, index) => index % 50 === 0)
    const different = sample.filter(({ type, text }) => {
      const canonical = canonicalize(type, reversed(JSON.parse(text)) as KubeObject)
      return escapeHtml(JSON.stringify(canonical)) !== text
    })
    expect(different.map(({ where }) => where)).toEqual([])
  })
})

/** Members backwards at every level, but not inside arbitrary JSON, whose order is its own. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, ARBITRARY.includes(name) ? member : reversed(member)]),
  )
}

const ARBITRARY = ['fieldsV1', 'default', 'example', 'enum', 'object']
