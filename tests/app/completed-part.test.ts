/** What of a line in a manifest is completed. */
import { expect, it } from 'vitest'
import { typedPart } from '../../src/app/features/editor/cursor'

it('a key or value is completed from its beginning, with slashes and dots', () => {
  expect(typedPart('apiVersion: apps/v')).toBe('apps/v')
  expect(typedPart('  - na')).toBe('na')
  expect(typedPart('kind: "Po')).toBe('Po')
  expect(typedPart('kind: ')).toBe('')
})

it('nothing is completed in comments or right behind a colon', () => {
  expect(typedPart('# see ki')).toBeUndefined()
  expect(typedPart('kind: Pod # a ')).toBeUndefined()
  expect(typedPart('kind:')).toBeUndefined()
  expect(typedPart('args: ["#1", a')).toBe('a')
})
