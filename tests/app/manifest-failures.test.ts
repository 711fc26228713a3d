/** An error Status is explained field by field, with a suggested fix. */
import { expect, it } from 'vitest'
import { aboveCauses, failureOf } from '../../src/app/manifests/failure'
import { ask, testServer } from '../support/server'
import { applied, DEPLOYMENTS, deployment, MAPS, map } from './ownership/support'

/** The page's explanation of a rejected apply. */
async function refused(path: string, body: unknown) {
  const { status, json } = await applied(testServer(), `${path}/a`, body, { manager: 'alice' })
  expect(status).toBe(500)
  return failureOf({ status, json, text: '' })
}

it('tells each field of an apply that does not fit its type', async () => {
  const { causes, advice } = await refused(DEPLOYMENTS, {
    ...deployment({
      replicas: 'three',
      template: { spec: { containers: [{ name: 'c', foo: 1 }] } },
    }),
    metadata: { name: 'a' },
  })
  expect(causes).toEqual([
    { field: '.spec.replicas', message: 'expected numeric (int or float), got string' },
    {
      field: '.spec.template.spec.containers[name="c"].foo',
      message: 'field not declared in schema',
    },
  ])
  expect(advice).toContain('schema')
})

it('says what helps against numbers where text belongs', async () => {
  const { causes, advice } = await refused(MAPS, map({ version: 1.5, on: true }))
  expect(causes).toEqual([
    { field: '.data.on', message: 'expected string, got true' },
    { field: '.data.version', message: 'expected string, got 1.5' },
  ])
  expect(advice).toContain('Quote strings')
})

it('tells the one field of a single mistake', async () => {
  const { causes } = await refused(MAPS, map({ on: true }))
  expect(causes).toEqual([{ field: '.data.on', message: 'expected string, got true' }])
})

it('says what a message and its causes have in common once, with the causes', async () => {
  const answer = await ask(testServer(), {
    method: 'POST',
    path: MAPS,
    body: { metadata: { name: 'A', labels: { 'b c': 'x' } } },
  })
  const failure = failureOf(answer)
  expect(failure.causes).toHaveLength(2)
  expect(aboveCauses(failure)).toBe('ConfigMap "A" is invalid:')
  const one = {
    message: 'Pod "a" is invalid: spec: Forbidden: no',
    causes: [{ field: 'spec', message: 'Forbidden: no' }],
  }
  expect(aboveCauses(one)).toBe('Pod "a" is invalid:')
})

it('keeps a message whole that says more than its causes, or has none', () => {
  const alone = 'Pod "a" is invalid: spec: Forbidden: no'
  expect(aboveCauses({ message: alone, causes: [] })).toBe(alone)
  expect(
    aboveCauses({ message: alone, causes: [{ field: 'spec', message: 'something else' }] }),
  ).toBe(alone)
  const unknown = 'Deployment in version "v1" cannot be handled: unknown field "x"'
  expect(
    aboveCauses({ message: unknown, causes: [{ field: 'x', message: 'unknown field' }] }),
  ).toBe(unknown)
})
