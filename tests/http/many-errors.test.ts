/** A 422 response lists as many errors as fit into its bound, and counts the others. */
import { describe, expect, it } from 'vitest'
import { type FieldError, invalid } from '../../src/engine/http/status'
import { testServer } from '../registry/server'

const TARGET = { group: '', kind: 'ConfigMap' }
const error = (field: string, detail: string, times?: number): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  detail,
  ...(times === undefined ? {} : { times }),
})
const statusOf = (errors: FieldError[]) => invalid(TARGET, 'a', errors).status

describe('the errors of a response', () => {
  it('are all there below the bound', () => {
    const { message, details } = statusOf([error('a', 'x', 2), error('b', 'y')])
    expect(message).toBe('ConfigMap "a" is invalid: [a: x, b: y]')
    expect(details?.causes?.map(({ field }) => field)).toEqual(['a', 'a', 'b'])
  })

  it('end with the number of those that do not fit', () => {
    const errors = Array.from({ length: 1000 }, (_, index) =>
      error(`f${index}`, 'x'.repeat(10_000)),
    )
    const { message = '', details } = statusOf(errors)
    const listed = details?.causes?.length ?? 0
    expect(listed).toBeGreaterThan(40)
    expect(message).toMatch(new RegExp(`, and ${1000 - listed} more errors\\]$`))
    expect(JSON.stringify({ message, details }).length).toBeLessThan(2 ** 20 * 1.1)
  })

  it('include the first one, however long it is', () => {
    const { message = '', details } = statusOf([error('a', 'x'.repeat(2 ** 21)), error('b', 'y')])
    expect(details?.causes?.map(({ field }) => field)).toEqual(['a'])
    expect(message).toMatch(/, and 1 more errors\]$/)
  })

  it('are counted where one error occurs more often than it fits', () => {
    const { message = '', details } = statusOf([error('a', 'x', 10_000_000)])
    expect(message).toBe(
      `ConfigMap "a" is invalid: [a: x, and ${10_000_000 - (details?.causes?.length ?? 0)} more errors]`,
    )
  })
})

describe('a list that each error quotes', () => {
  const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
  const owners = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      name: `n${index}`,
      uid: `u${index}`,
      controller: true,
    }))

  it.each([500, 2000])('of %i owner references gives a bounded response', async (count) => {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', ownerReferences: owners(count) },
    }
    const response = await testServer().send<{
      message: string
      details: { causes: { message: string }[] }
    }>('POST', CONFIG_MAPS, body)
    const { message, details } = response.body
    expect(response.status).toBe(422)
    expect(JSON.stringify(response.body).length).toBeLessThan(2 ** 20 * 1.1)
    expect(details.causes[0]?.message).toContain('Found "true" in references for Pod/n0 and Pod/n1')
    expect(message).toMatch(
      new RegExp(`, and ${count - 1 - details.causes.length} more errors\\]$`),
    )
  })
})
