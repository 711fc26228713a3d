/** Who owns what, in words. */
import { expect, it } from 'vitest'
import type { Owner } from '../../../src/app/features/ownership/owners'
import { namesOf, othersThan } from '../../../src/app/features/ownership/texts'

const owner = (name: string, operation: Owner['operation'] = 'Apply', subresource = ''): Owner => ({
  id: `${name} ${operation} ${subresource}`,
  name,
  operation,
  apiVersion: 'v1',
  subresource,
  time: '',
})

it('names each once, and counts further ones', () => {
  expect(namesOf([])).toBe('no manager')
  expect(namesOf([owner('alice'), owner('alice', 'Update')])).toBe('alice')
  expect(namesOf([owner('alice'), owner('bob'), owner('carol')])).toBe('alice, bob and carol')
  expect(namesOf(Array.from({ length: 300 }, (_, index) => owner(`m${index}`)))).toBe(
    'm0, m1, m2 and 297 others',
  )
})

it('does not put an applier in its own way', () => {
  const named = (applier: string, owners: Owner[]) =>
    othersThan(applier, owners).map(({ name }) => name)
  expect(named('bob', [owner('alice'), owner('bob')])).toEqual(['alice'])
  expect(named('bob', [owner('bob', 'Update'), owner('bob')])).toEqual(['bob (Update)'])
  expect(named('bob', [owner('bob', 'Apply', 'status')])).toEqual(['bob (status)'])
})
