import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { canonicalize, escapeHtml } from '../../src/engine/schema/canonical'
import { decodeObject } from '../../src/engine/schema/decode'
import { recordedObjects } from './recordings'

/**
 * Everything that kube-apiserver writes is canonical: field order, sorted maps, and which empty
 * values appear. So decoding and encoding must return the same text.
 */
describe('recorded objects', () => {
  const objects = [...recordedObjects()]

  it('are many', () => {
    expect(objects.length).toBeGreaterThan(15_000)
  })

  it('are canonical byte by byte', () => {
    const different = objects.filter(({ type, text }) => {
      const canonical = canonicalize(type, JSON.parse(text) as KubeObject)
      return escapeHtml(JSON.stringify(canonical)) !== text
    })
    expect(different.map(({ where }) => where)).toEqual([])
  })

  it('are not copied when they are canonical already', () => {
    const copied = objects.filter(({ type, text }) => {
      const object = JSON.parse(text) as KubeObject
      return canonicalize(type, object) !== object
    })
    expect(copied.map(({ where }) => where)).toEqual([])
  })

  it('decode to themselves without errors', () => {
    const different = objects.filter(({ type, text }) => {
      const { object, problems } = decodeObject(type, JSON.parse(text))
      return problems.length > 0 || escapeHtml(JSON.stringify(object)) !== text
    })
    expect(different.map(({ where }) => where)).toEqual([])
  })

  it('are sorted again when their members are shuffled', () => {
    const sample = objects.filter((_, index) => index % 50 === 0)
    const different = sample.filter(({ type, text }) => {
      const canonical = canonicalize(type, reversed(JSON.parse(text)) as KubeObject)
      return escapeHtml(JSON.stringify(canonical)) !== text
    })
    expect(different.map(({ where }) => where)).toEqual([])
  })
})

/** Reverses members at every level, but not in free-form JSON, which keeps its order. */
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
