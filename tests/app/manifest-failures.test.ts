/** A refusal in the server's words is told field by field, with what helps. */
import { expect, it } from 'vitest'
import { failureOf } from '../../src/app/manifests/failure'
import { testServer } from '../support/server'
import { applied, DEPLOYMENTS, deployment, MAPS, map } from './ownership/support'

/** What the page makes of a refused apply. */
async function refused(path: string, body: unknown) {
  const { status, json } = await applied(testServer(), `${path}/a`, body, { manager: 'alice' })
  expect(status).toBe(500)
  return failureOf({ status, json, text: '' })
}

it('tells each field of an apply that does not fit its type', async () => {
  const { causes, advice } = await refused(DEPLOYMENTS, {
    ...deployment({ replicas: 'three', template: { spec: { containers: [{ name: 'c', foo: 1 }] } } }),
    metadata: { name: 'a' },
  })
  expect(causes).toEqual([
    { field: '.spec.replicas', message: 'expected numeric (int or float), got string' },
    { field: '.spec.template.spec.containers[name="c"].foo', message: 'field not declared in schema' },
  ])
  expect(advice).toContain('schema')
})

it('says what helps against numbers where text belongs', async () => {
  const { causes, advice } = await refused(MAPS, map({ version: 1.5, on: true }))
  expect(causes).toEqual([
    { field: '.data.on', message: 'expected string, got true' },
    { field: '.data.version', message: 'expected string, got 1.5' },
  ])
  expect(advice).toContain('quotes')
})

it('tells the one field of a single mistake', async () => {
  const { causes } = await refused(MAPS, map({ on: true }))
  expect(causes).toEqual([{ field: '.data.on', message: 'expected string, got true' }])
})
