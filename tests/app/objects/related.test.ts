/** Owners and dependents of an object, by owner references. */
import { expect, it } from 'vitest'
import {
  type Dependent,
  type RelatedObject,
  relatedOf,
} from '../../../src/app/features/objects/related'

const object = (uid: string, ...owners: string[]): RelatedObject => ({
  resource: {} as never,
  namespace: '',
  name: uid,
  uid,
  owners: owners.map((owner) => ({ uid: owner, kind: 'K', name: owner })),
  health: undefined,
})
const shape = (dependents: readonly Dependent[]): unknown[] =>
  dependents.map(({ object: { name }, dependents: below }) =>
    below.length === 0 ? name : [name, ...shape(below)],
  )

it('are a chain up and a tree down', () => {
  const set = object('set', 'deployment')
  const all = [object('deployment'), set, object('pod-1', 'set'), object('pod-2', 'set', 'gone')]
  const related = relatedOf(set, all)
  expect(related.owners.map(({ name }) => name)).toEqual(['deployment'])
  expect(shape(related.dependents)).toEqual(['pod-1', 'pod-2'])
  expect(shape(relatedOf(object('deployment'), all).dependents)).toEqual([
    ['set', 'pod-1', 'pod-2'],
  ])
  expect(relatedOf(all[3] as RelatedObject, all).missing.map(({ name }) => name)).toEqual(['gone'])
})

it('end in a circle of owners', () => {
  const all = [object('a', 'b'), object('b', 'a')]
  const related = relatedOf(all[0] as RelatedObject, all)
  expect(related.owners.map(({ name }) => name)).toEqual(['b'])
  expect(shape(related.dependents)).toEqual(['b'])
})

it('are bounded', () => {
  const all = Array.from({ length: 1000 }, (_, index) => object(`pod-${index}`, 'set'))
  const { dependents, truncated } = relatedOf(object('set'), all)
  expect(dependents).toHaveLength(300)
  expect(truncated).toBe(true)
})
