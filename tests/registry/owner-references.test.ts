import { describe, expect, it } from 'vitest'
import type { ObjectMeta, OwnerReference } from '../../src/engine/core/object'
import { dedupOwnerReferences } from '../../src/engine/registry/owner-references'

const owner = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'p',
  uid,
  ...more,
})

function deduplicated(owners: OwnerReference[]) {
  const meta: ObjectMeta = { name: 'a', ownerReferences: owners }
  const warnings: string[] = []
  dedupOwnerReferences(meta, (text) => warnings.push(text), 'as sent')
  return { owners: meta.ownerReferences, warnings }
}

describe('owner references', () => {
  it('are removed when they repeat an earlier one in all fields', () => {
    const reordered = { uid: 'a', name: 'p', kind: 'Pod', apiVersion: 'v1' }
    const { owners, warnings } = deduplicated([owner('a'), owner('b'), reordered, owner('b')])
    expect(owners).toEqual([owner('a'), owner('b')])
    expect(warnings).toEqual([expect.stringMatching(/duplicate UID\(s\) observed: a, b$/)])
  })

  it('stay when one field differs', () => {
    const different = [
      owner('a'),
      owner('a', { name: 'q' }),
      owner('a', { controller: true }),
      owner('a', { controller: false }),
      owner('a', { blockOwnerDeletion: true }),
    ]
    expect(deduplicated(different)).toEqual({ owners: different, warnings: [] })
  })

  it('are compared in one pass, however many have the same UID', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => owner('a', { name: `p${index}` }))
    expect(deduplicated(many).owners).toHaveLength(100_000)
  })
})
