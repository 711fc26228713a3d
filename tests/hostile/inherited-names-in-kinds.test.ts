/** Inherited names as each string, map key and unknown member of every built-in kind mean no more than any other name. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { StructType } from '../../src/engine/schema/model'
import { NAMESPACE, recordedSeeds, type Seed } from '../generated/seeds'
import { variantLookup, variantsOf } from './every-position'
import { NAME_PAIRS, type NamePair, ServerPair } from './same-for-any-name'

/** The recorded object with the most in it, for each kind and version. */
function largestSeeds(): { seed: Seed; type: StructType }[] {
  const largest = new Map<string, { seed: Seed; size: number }>()
  for (const seed of recordedSeeds()) {
    const kind = `${seed.object.apiVersion} ${seed.object.kind}`
    const size = JSON.stringify(seed.object).length
    if (size > (largest.get(kind)?.size ?? 0)) largest.set(kind, { seed, size })
  }
  return [...largest.values()].flatMap(({ seed }) => {
    const [version = '', group = ''] = String(seed.object.apiVersion).split('/').reverse()
    const type = builtinModel().byKind(group, version, String(seed.object.kind))
    return type === undefined ? [] : [{ seed, type }]
  })
}

const PATCH_TYPES = ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']
const TABLE = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }

/**
 * Sends every request that a variant takes part in: it is created, shown, patched onto the original, and deleted.
 *
 * @returns the first response that depends on the name, from where it differs
 */
async function firstDifference(
  servers: ServerPair,
  names: NamePair,
  collection: string,
  original: JsonObject,
  of: (name: string) => JsonObject,
): Promise<string | undefined> {
  const name = (original.metadata as { name?: string }).name ?? ''
  const target = `${collection}/${encodeURIComponent(name)}`
  const withoutFinalizers = { metadata: { finalizers: null } }
  const remove = [
    () => ({ method: 'DELETE', target: `${collection}?gracePeriodSeconds=0` }),
    () => ({
      method: 'PATCH',
      target,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: withoutFinalizers,
    }),
  ]
  const requests = [
    (one: string) => ({ method: 'POST', target: collection, body: of(one) }),
    () => ({ method: 'GET', target: collection, headers: TABLE }),
    ...remove,
    () => ({ method: 'POST', target: collection, body: original }),
    ...PATCH_TYPES.map((type) => (one: string) => ({
      method: 'PATCH',
      target: `${target}?fieldManager=m${type.startsWith('apply') ? '&force=true' : ''}`,
      headers: { 'content-type': `application/${type}` },
      body: of(one),
    })),
    ...remove,
  ]
  for (const request of requests) {
    const { actual, expected } = await servers.send(names, request)
    if (actual !== expected) return `${request(names[0]).method}: ${differing(actual, expected)}`
  }
  return undefined
}

function differing(actual: string, expected: string): string {
  const at = [...actual].findIndex((character, index) => character !== expected[index])
  const [from, to] = [Math.max(0, at - 80), at + 80]
  return `"${actual.slice(from, to)}" instead of "${expected.slice(from, to)}"`
}

/** Errors print bytes as numbers, so they show more of a name than its characters. */
const PRINTED_AS_BYTES = ['.spec.request']

test('an inherited name in any position of a kind is a name like others', {
  timeout: 300_000,
}, async () => {
  const servers = new ServerPair()
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
  await servers.send(['a', 'a'], () => ({
    method: 'POST',
    target: '/api/v1/namespaces',
    body: namespace,
  }))
  let count = 0
  const differences: string[] = []
  for (const { seed, type } of largestSeeds()) {
    const positions = variantsOf(type, seed.object, 'name').map(({ position }) => position)
    const variant = variantLookup(type, seed.object)
    for (const [index, position] of positions.entries()) {
      if (PRINTED_AS_BYTES.includes(position)) continue
      // Each position meets one of the names; all names meet each kind.
      const names = NAME_PAIRS[index % NAME_PAIRS.length] as NamePair
      const of = (name: string): JsonObject => variant(name, index) as JsonObject
      const difference = await firstDifference(servers, names, seed.collection, seed.object, of)
      if (difference !== undefined)
        differences.push(`${seed.object.kind} ${position} ${names[0]} ${difference}`)
      count++
    }
  }
  expect(differences).toEqual([])
  expect(count).toBeGreaterThan(1000)
})
