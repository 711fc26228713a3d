import { expect, it } from 'vitest'
import { forbidden, invalid } from '../../src/engine/http/status'
import { worded } from '../../src/engine/http/wording'
import { tooLong } from '../../src/engine/registry/field-errors'
import { changesOf } from '../../src/engine/release-tables/changes'

const target = { group: 'apps', kind: 'Deployment' }

it('words causes and the message that lists them', () => {
  const error = invalid(target, 'web', [tooLong('metadata.name', 253), tooLong('spec.x', 5)])
  expect(worded(error, changesOf('1.31'))).toBe(error)
  const { status } = worded(error, changesOf('1.33'))
  expect(status.message).toBe(
    'Deployment.apps "web" is invalid: [metadata.name: Too long: may not be more than 253 bytes, spec.x: Too long: may not be more than 5 bytes]',
  )
  expect(status.details?.causes?.[1]?.message).toBe('Too long: may not be more than 5 bytes')
})

it('names the line of the scheme that the release has', () => {
  const text = 'no kind "Pod" is registered for version "v2" in scheme "pkg/runtime/scheme.go:100"'
  const error = forbidden({ group: '', resource: 'pods' }, 'web', text)
  const lineIn = (release: string) =>
    /scheme\.go:(\d+)/.exec(worded(error, changesOf(release)).status.message ?? '')?.[1]
  expect(['1.31', '1.33', '1.34', '1.35', '1.37'].map(lineIn)).toEqual([
    '100',
    '110',
    '110',
    '111',
    '111',
  ])
})

it('leaves values alone that only look so', () => {
  const error = forbidden({ group: '', resource: 'pods' }, 'scheme.go:100', 'no')
  expect(worded(error, changesOf('1.37'))).toBe(error)
})
