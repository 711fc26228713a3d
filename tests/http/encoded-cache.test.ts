/** Encoded objects share a bounded cache; a hit or a miss does not change the response. */
import { describe, expect, it } from 'vitest'
import {
  responseJson,
  storedJson,
  storedListJson,
  writtenJson,
} from '../../src/engine/http/stored-json'
import type { Resource } from '../../src/engine/registry/resource'
import { StoredVersion } from '../../src/engine/storage/stored-version'
import { testServer } from '../registry/server'
import { configMap, keyOf } from '../storage/objects'

const resource = { kind: 'ConfigMap', apiVersion: 'v1' } as Resource
/** Sixteen of them exceed the size of the cache. */
const HALF_A_MEBIBYTE = 'x'.repeat(512 * 1024)
const some = (count: number, value = HALF_A_MEBIBYTE) =>
  Array.from(
    { length: count },
    (_, i) => new StoredVersion(keyOf(`n${i}`), configMap(`n${i}`, value), i + 1, i + 1),
  )
const isCached = (versions: StoredVersion[]) => versions.map(({ encoded }) => encoded !== undefined)
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('encoded objects', () => {
  it('are cached; the oldest are evicted, and encoded again to the same bytes', () => {
    const versions = some(16)
    const responses = versions.map((stored) => storedJson(stored, resource))
    const kept = isCached(versions)
    expect(kept).toEqual([...Array(5).fill(false), ...Array(11).fill(true)])
    expect(storedJson(versions[15] as StoredVersion, resource) === responses[15]).toBe(true)
    const again = storedJson(versions[0] as StoredVersion, resource)
    // A comparison by the matcher would be slow: it looks for differences byte by byte.
    expect(again === responses[0]).toBe(false)
    expect(text(again)).toBe(text(responses[0] as Uint8Array))
  })

  it('are not evicted by a list that exceeds the cache', () => {
    const before = some(8)
    for (const stored of before) storedJson(stored, resource)
    const versions = some(16)
    const head = '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":['
    const list = JSON.parse(text(storedListJson(head, versions, resource))) as { items: unknown[] }
    expect(list.items).toEqual(
      versions.map(({ object: { kind: _kind, apiVersion: _apiVersion, ...rest } }) => rest),
    )
    expect(isCached(before)).toEqual(Array(8).fill(true))
  })
})

describe('a server that closes', () => {
  it('clears the cache, and other servers encode again', async () => {
    const [version] = some(1, 'small') as [StoredVersion]
    const response = text(storedJson(version, resource))
    expect(isCached([version])).toEqual([true])
    await testServer().api.close()
    expect(isCached([version])).toEqual([false])
    expect(text(storedJson(version, resource))).toBe(response)
  })
})

describe('a read while the cache is full', () => {
  const small = (name: string) => new StoredVersion(keyOf(name), configMap(name, '<&> é'), 2, 2)
  const full = () => {
    for (const stored of some(80, HALF_A_MEBIBYTE.slice(0, 100_000))) storedJson(stored, resource)
  }
  const read = (stored: StoredVersion) => {
    const response = responseJson(stored, resource)
    return typeof response === 'string' ? response : text(response)
  }

  it('is cached on a second read soon after', () => {
    full()
    const version = small('a')
    const first = read(version)
    expect(version.encoded).toBeUndefined()
    expect(read(version)).toBe(first)
    expect(version.encoded).toBeDefined()
    expect(read(version)).toBe(first)
    expect(first).toBe(text(storedJson(small('a'), resource)))
  })

  it('evicts nothing if the second read comes after more objects than fit', () => {
    full()
    const ready = some(1)[0] as StoredVersion
    storedJson(ready, resource)
    const versions = Array.from({ length: 5000 }, (_, i) => small(`s${i}`))
    for (let round = 0; round < 2; round++) for (const version of versions) read(version)
    expect(isCached(versions)).not.toContain(true)
    expect(ready.encoded).toBeDefined()
  })
})

describe('a write response', () => {
  const stored = () => new StoredVersion(keyOf('a'), configMap('a', '<&> é'), 2, 2)

  it('equals a read, and does not fill the cache', () => {
    const version = stored()
    expect(writtenJson(version, resource)).toBe(text(storedJson(stored(), resource)))
    expect(version.encoded).toBeUndefined()
  })

  it('shares the cached encoding of watch events', () => {
    const version = stored()
    const ready = storedJson(version, resource)
    expect(writtenJson(version, resource) === ready).toBe(true)
  })
})

describe('a version in serialized form', () => {
  const object = configMap('a', '<&>')
  const version = () => new StoredVersion(keyOf('a'), JSON.stringify(object), 2, 2)

  it('is returned without parsing, the same as its object', () => {
    const stored = version()
    expect(text(storedJson(stored, resource))).toBe(
      text(storedJson(new StoredVersion(keyOf('a'), object, 2, 2), resource)),
    )
    expect(stored.text).toBeDefined()
  })

  it('is parsed once when the object is needed', () => {
    const stored = version()
    expect(stored.object).toEqual(object)
    expect(stored.object).toBe(stored.object)
    expect(stored.text).toBeUndefined()
  })
})
