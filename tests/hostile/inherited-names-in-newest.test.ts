/** Inherited names in the kinds that releases after the recorded one add mean no more than any other. */
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/engine/core/object'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { tablesOf } from '../../src/engine/release-tables/tables'
import { allVersions } from '../../src/engine/releases'
import { modelOf } from '../../src/engine/schema/builtin'
import type { TypeNode } from '../../src/engine/schema/model'
import { TEST_RELEASE } from '../support/release'
import { variantLookup, variantsOf } from './every-position'
import { sampleOf } from './growth/grown'
import { NAME_PAIRS, type NamePair, type SentRequest, ServerPair } from './same-for-any-name'

const NEWEST = '1.37'
const LEVELS = 5
const TABLE = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }

/** A value with every field of its type. */
function fullSample(type: TypeNode, level = 0): Json {
  if (level > LEVELS) return sampleOf(type)
  if (type.type === 'struct')
    return Object.fromEntries(
      type.fields.map(({ name, type }) => [name, fullSample(type, level + 1)]),
    )
  if (type.type === 'list') return [fullSample(type.items, level + 1)]
  return type.type === 'map' ? { a: fullSample(type.values, level + 1) } : sampleOf(type)
}

test('each position of a new kind takes such a name as any other', {
  timeout: 300_000,
}, async () => {
  await loadTables(NEWEST)
  const known = new Set(allVersions(TEST_RELEASE).map(({ apiVersion, kind }) => apiVersion + kind))
  const servers = new ServerPair({ release: NEWEST })
  const differences: string[] = []
  let count = 0
  for (const { group, version, apiVersion, kind, resource, namespaced } of allVersions(NEWEST)) {
    const type = modelOf(tablesOf(NEWEST)).byKind(group, version, kind)
    if (known.has(apiVersion + kind) || type === undefined) continue
    const object: JsonObject = {
      ...(fullSample(type) as JsonObject),
      apiVersion,
      kind,
      metadata: { name: 'x', labels: { a: 'b' } },
    }
    const target = `/apis/${apiVersion}${namespaced ? '/namespaces/default' : ''}/${resource}`
    const variant = variantLookup(type, object)
    for (const [index, { position }] of variantsOf(type, object, 'name').entries()) {
      const names = NAME_PAIRS[index % NAME_PAIRS.length] as NamePair
      const body = (name: string) => variant(name, index)
      const requests: ((name: string) => SentRequest)[] = [
        (name) => ({ method: 'POST', target, body: body(name) }),
        () => ({ method: 'GET', target, headers: TABLE }),
        (name) => ({
          method: 'PATCH',
          target: `${target}/x?fieldManager=m&force=true`,
          headers: { 'content-type': 'application/apply-patch+yaml' },
          body: body(name),
        }),
        // Objects with finalizers would remain, and with them names of other pairs.
        () => ({
          method: 'PATCH',
          target: `${target}/x`,
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { metadata: { finalizers: null } },
        }),
        () => ({ method: 'DELETE', target }),
      ]
      for (const request of requests) {
        const { actual, expected } = await servers.send(names, request)
        if (actual !== expected)
          differences.push(`${kind} ${position} ${names[0]} ${request('').method}`)
      }
      count++
    }
  }
  expect(differences).toEqual([])
  expect(count).toBeGreaterThan(500)
})
