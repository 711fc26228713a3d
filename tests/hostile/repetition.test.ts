/**
 * Short inputs that must end, and long inputs that must take linear time. The server rejects them or
 * processes them in linear time; otherwise the long ones would time out here.
 */
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { parseJsonPath } from '../../src/engine/encoding/json-path'
import { applyOperations, JsonPatchFailure } from '../../src/engine/patch/json-patch'
import { applyStrategicMergePatch } from '../../src/engine/patch/strategic-merge-patch'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { StructType } from '../../src/engine/schema/model'
import { readYaml } from '../../src/engine/schema/yaml/reader'
import { isLike } from '../../src/lessons/check'
import { sendRequest, testServer } from '../support/server'

describe('YAML', () => {
  it('may not merge a map into itself', () => {
    expect(() => readYaml('a: &a\n  <<: *a\n  b: 1')).toThrow("anchor 'a' value contains itself")
    expect(() => readYaml('a: &a\n  b: {<<: [*a]}')).toThrow("anchor 'a' value contains itself")
  })

  it('counts merged maps as it counts aliases', () => {
    const level = (of: number) => `a${of + 1}: &a${of + 1} {<<: [*a${of}, *a${of}]}`
    const bomb = ['a0: &a0 {x: 1, z: 2}', ...Array.from({ length: 40 }, (_, of) => level(of))].join(
      '\n',
    )
    expect(() => readYaml(bomb)).toThrow('document contains excessive aliasing')
    expect(readYaml('base: &base {x: 1, y_: 2}\nmine: {<<: *base, x: 3}').value).toEqual({
      base: { x: 1, y_: 2 },
      mine: { x: 3, y_: 2 },
    })
  })

  it('names the lines of repeated keys, however many there are', () => {
    const { duplicates } = readYaml('a: 1\n'.repeat(50_000))
    const lines = (duplicates[0] as string).split('\n')
    expect(lines).toHaveLength(50_000)
    expect([lines[1], lines.at(-1)]).toEqual([
      '  line 2: key "a" already set in map',
      '  line 50000: key "a" already set in map',
    ])
  })

  it('reads numbers of a million digits as strings: no number holds them', () => {
    for (const digits of ['9'.repeat(1_000_000), `-0x${'f'.repeat(1_000_000)}`])
      expect(readYaml(`a: ${digits}`).value).toEqual({ a: digits })
    expect(readYaml(`a: 0b${'0'.repeat(200)}11`).value).toEqual({ a: 3 })
    expect(readYaml(`a: -0${'0'.repeat(200)}17`).value).toEqual({ a: -15 })
  })
})

describe('a JSON patch', () => {
  const double = (i: number): JsonObject[] => [{ op: 'copy', from: '', path: `/${i}` }]

  it('may not copy more than a body may hold', () => {
    const document = { a: { text: 'x'.repeat(1000) } }
    const copies = Array.from({ length: 60 }, (_, i): JsonObject[] => [
      { op: 'copy', from: '/a', path: `/b` },
      { op: 'move', from: '/b', path: `/a/c${i}` },
    ])
    expect(() => applyOperations(document, copies.flat())).toThrow(
      /the accumulated size increase of copy is \d+, exceeding the limit 3145728/,
    )
    expect(() => applyOperations(document, double(1))).toThrow(JsonPatchFailure)
    expect(applyOperations({ a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }])).toEqual({
      a: 1,
      b: 1,
    })
  })
})

describe('a strategic merge patch', () => {
  const POD = builtinModel().byKind('', 'v1', 'Pod') as StructType

  it('takes many items out of a long list', () => {
    const containers = Array.from({ length: 20_000 }, (_, i) => ({ name: `c${i}` }))
    const gone = containers.slice(1).map(({ name }) => ({ name, $patch: 'delete' }))
    expect(
      applyStrategicMergePatch({ spec: { containers } }, { spec: { containers: gone } }, POD),
    ).toEqual({
      spec: { containers: [{ name: 'c0' }] },
    })
    const finalizers = Array.from({ length: 20_000 }, (_, i) => `f${i}`)
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': finalizers.slice(1) } }
    expect(applyStrategicMergePatch({ metadata: { finalizers } }, patch, POD)).toEqual({
      metadata: { finalizers: ['f0'] },
    })
  })
})

describe('a path of a column', () => {
  const deep = (levels: number): Json => (levels === 0 ? 1 : { a: deep(levels - 1) })

  it('looks at a hundred thousand values and no more', () => {
    expect(parseJsonPath('...*'.repeat(30))(deep(60)).length).toBeLessThanOrEqual(100_000)
    expect(
      parseJsonPath(`.a${'[?(@...*...*...*)]'.repeat(3)}`)({ a: [[[deep(100)]]] }),
    ).toBeDefined()
    expect(parseJsonPath('..a')(deep(60))).toHaveLength(60)
  })

  it('is read in one pass, and has no filters inside filters', () => {
    expect(parseJsonPath('[0]'.repeat(200_000))([1])).toEqual([])
    expect(() => parseJsonPath(`${'[?(@'.repeat(3000)}.a${')]'.repeat(3000)}`)).toThrow(
      'unterminated filter',
    )
  })
})

describe('a regular expression of a lesson', () => {
  it('is followed without going back: none keeps the page busy', () => {
    expect(isLike(`${'a'.repeat(5000)}b`, '/^(a*)*$/')).toBe(false)
    expect(isLike('shop-1\nshop-2', '/^shop-.*-2$/')).toBe(true)
    expect(isLike('x', '/[/')).toBe(false)
  })
})

describe('a definition of many versions', () => {
  it('is checked, served and withdrawn in steps that grow with their number', async () => {
    const server = testServer()
    const versions = Array.from({ length: 3000 }, (_, index) => ({
      name: `v${index + 1}`,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: { type: 'object' } },
    }))
    const names = { plural: 'many', kind: 'Many' }
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const body = {
      metadata: { name: 'many.example.com' },
      spec: { group: 'example.com', scope: 'Cluster', names, versions },
    }
    const { status } = await sendRequest(server, { method: 'POST', path, body })
    expect(status).toBe(201)
    const served = async (version: string) =>
      (await sendRequest(server, { path: `/apis/example.com/${version}/many` })).status
    await expect.poll(() => served('v1')).toBe(200)
    expect(await Promise.all(['v3000', 'v3001'].map(served))).toEqual([200, 404])
    await sendRequest(server, { method: 'DELETE', path: `${path}/many.example.com` })
    await expect.poll(() => served('v3000')).toBe(404)
  })
})
