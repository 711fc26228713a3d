import { expect, it, test } from 'vitest'
import { badRequest, type FieldError, forbidden, invalid } from '../../src/engine/http/status'
import { worded } from '../../src/engine/http/wording'
import {
  invalidLabelValue,
  invalidNamed,
  invalidValue,
  requiredOnly,
  tooLong,
  tooMany,
} from '../../src/engine/validation/field-errors'
import { changedTables } from '../support/release'

const target = { group: 'apps', kind: 'Deployment' }

it('words causes and the message that lists them', () => {
  const error = invalid(target, 'web', [tooLong('metadata.name', 253), tooLong('spec.x', 5)])
  expect(worded(error, changedTables('1.31'))).toBe(error)
  const { status } = worded(error, changedTables('1.33'))
  expect(status.message).toBe(
    'Deployment.apps "web" is invalid: [metadata.name: Too long: may not be more than 253 bytes, spec.x: Too long: may not be more than 5 bytes]',
  )
  expect(status.details?.causes?.[1]?.message).toBe('Too long: may not be more than 5 bytes')
})

it('names the line of the scheme that the release has', () => {
  const text = 'no kind "Pod" is registered for version "v2" in scheme "pkg/runtime/scheme.go:100"'
  const error = forbidden({ group: '', resource: 'pods' }, 'web', text)
  const lineIn = (release: string) =>
    /scheme\.go:(\d+)/.exec(worded(error, changedTables(release)).status.message ?? '')?.[1]
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
  expect(worded(error, changedTables('1.37'))).toBe(error)
})

test.each<[name: string, FieldError, before: string, now: string]>([
  [
    'limits of one item',
    tooMany('f', 2, 1),
    'Too many: 2: must have at most 1 items',
    'Too many: 2: must have at most 1 item',
  ],
  [
    'limits of eleven items',
    tooMany('f', 12, 11),
    'Too many: 12: must have at most 11 items',
    'Too many: 12: must have at most 11 items',
  ],
  [
    'limits of one byte',
    tooLong('f', 1),
    'Too long: may not be more than 1 bytes',
    'Too long: may not be more than 1 byte',
  ],
  [
    'keys of labels',
    invalidValue('f', 'k', 'name part must be no more than 63 characters'),
    'Invalid value: "k": name part must be no more than 63 characters',
    'Invalid value: "k": name part must be no more than 63 bytes',
  ],
  [
    'values of labels',
    invalidLabelValue('f', 'v', 'must be no more than 63 characters'),
    'Invalid value: "v": must be no more than 63 characters',
    'Invalid value: "v": must be no more than 63 bytes',
  ],
  [
    'names that are not labels',
    invalidValue('f', 'v', 'must be no more than 63 characters'),
    'Invalid value: "v": must be no more than 63 characters',
    'Invalid value: "v": must be no more than 63 characters',
  ],
  [
    'qualified names',
    invalidValue('f', 'a/b/c', 'a qualified name must consist of alphanumeric characters'),
    'Invalid value: "a/b/c": a qualified name must consist of alphanumeric characters',
    'Invalid value: "a/b/c": a valid label key must consist of alphanumeric characters',
  ],
  [
    'required fields',
    requiredOnly('f', 'kind is required'),
    'Required value: kind is required',
    'Required value',
  ],
  [
    'names of fields',
    invalidNamed('f', ' ', { name: 'message', why: 'must be non-empty if specified' }),
    'Invalid value: " ": message must be non-empty if specified',
    'Invalid value: " ": must be non-empty if specified',
  ],
])('words %s as 1.33 and as 1.35', (_, error, before, now) => {
  const textAt = (release: string) => {
    const { status } = worded(invalid(target, 'web', [error]), changedTables(release))
    expect(status.message).toContain(`f: ${status.details?.causes?.[0]?.message}`)
    return status.details?.causes?.[0]?.message
  }
  expect([textAt('1.33'), textAt('1.35')]).toEqual([before, now])
})

it('words values of labels in the errors of selectors', () => {
  const text =
    'unable to parse requirement: values[0][a]: Invalid value: "v": must be no more than 63'
  const error = badRequest(`${text} characters`)
  expect(worded(error, changedTables('1.35')).status.message).toBe(`${text} bytes`)
})
