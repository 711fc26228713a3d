/** An error Status is explained field by field, with a suggested fix. */
import { expect, it } from 'vitest'
import { aboveCauses, failureOf } from '../../src/app/features/manifests/failure'
import { sendRequest, testServer } from '../support/server'
import { applied, DEPLOYMENTS, deployment, MAPS, map } from './ownership/support'

/** The page's explanation of a rejected apply. */
async function rejected(path: string, body: unknown) {
  const { status, json } = await applied(testServer(), `${path}/a`, body, { manager: 'alice' })
  expect(status).toBe(500)
  return failureOf({ status, json, text: '' })
}

it('names each field with a wrong type', async () => {
  const { causes, advice } = await rejected(DEPLOYMENTS, {
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

it('suggests a fix for numbers in place of strings', async () => {
  const { causes, advice } = await rejected(MAPS, map({ version: 1.5, on: true }))
  expect(causes).toEqual([
    { field: '.data.on', message: 'expected string, got true' },
    { field: '.data.version', message: 'expected string, got 1.5' },
  ])
  expect(advice).toContain('Quote strings')
})

it('shows the message of a policy once, with its own advice', () => {
  const message = `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'all' denied request: no`
  const { causes, advice } = failureOf({
    status: 422,
    text: '',
    json: {
      kind: 'Status',
      message,
      reason: 'Invalid',
      details: {
        causes: [
          {
            message: `ValidatingAdmissionPolicy 'limits' with binding 'all' denied request: no`,
          },
        ],
      },
    },
  })
  expect(causes).toEqual([])
  expect(advice).toContain('policy')
})

it('names the field of a single error', async () => {
  const { causes } = await rejected(MAPS, map({ on: true }))
  expect(causes).toEqual([{ field: '.data.on', message: 'expected string, got true' }])
})

it('shows the common parts of a message and its causes once, with the causes', async () => {
  const response = await sendRequest(testServer(), {
    method: 'POST',
    path: MAPS,
    body: { metadata: { name: 'A', labels: { 'b c': 'x' } } },
  })
  const failure = failureOf(response)
  expect(failure.causes).toHaveLength(2)
  expect(aboveCauses(failure)).toBe('ConfigMap "A" is invalid:')
  const one = {
    message: 'Pod "a" is invalid: spec: Forbidden: no',
    causes: [{ field: 'spec', message: 'Forbidden: no' }],
  }
  expect(aboveCauses(one)).toBe('Pod "a" is invalid:')
})

it('keeps a message with more information than its causes, or without causes', () => {
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
