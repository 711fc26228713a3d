import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'

import { causesOf, change, established, moving } from './change'

describe('custom resource definitions', () => {
  const path = (version: string) =>
    `/apis/apiextensions.k8s.io/${version}/customresourcedefinitions`
  const row = '1.22 CustomResourceDefinition'
  const OLD = 'apiextensions.k8s.io/v1beta1'
  const NEW = 'apiextensions.k8s.io/v1'
  const NAME = 'crons.example.com'
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } },
  }
  const definition = (apiVersion: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: { group: 'example.com', names: { plural: 'crons', kind: 'Cron' }, ...spec },
  })
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
  ]

  change(row, 'scope-required', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect(
      (await writeOld(path('v1beta1'), definition(OLD, { version: 'v1' }))).json.spec.scope,
    ).toBe('Namespaced')
    expect(causesOf(await writeNew(path('v1'), definition(NEW, { versions })))).toContain(
      'spec.scope',
    )
  })
  change(row, 'per-version', async () => {
    const { writeOld, readNew, readOld } = moving('1.21', '1.22')
    const subresources = { status: {} }
    const old = definition(OLD, {
      version: 'v1',
      validation: { openAPIV3Schema: schema },
      subresources,
      preserveUnknownFields: false,
    })
    const made = await writeOld(path('v1beta1'), old)
    const { json } = await readNew(`${path('v1')}/${NAME}`)
    expect(json.spec.versions).toEqual([
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources,
      },
    ])
    for (const gone of ['version', 'validation', 'subresources'])
      expect(json.spec).not.toHaveProperty(gone)
    const back = await readOld(`${path('v1beta1')}/${NAME}`)
    expect(back.json.spec).toEqual(made.json.spec)
    expect(back.json.spec).toMatchObject({
      version: 'v1',
      validation: { openAPIV3Schema: schema },
      subresources,
    })
  })
  change(row, 'conversion-webhook', async () => {
    const { writeOld, readNew } = moving('1.21', '1.22')
    const webhookClientConfig = { url: 'https://hooks.example.com/convert' }
    const conversion = { strategy: 'Webhook', webhookClientConfig }
    await writeOld(
      path('v1beta1'),
      definition(OLD, { versions, conversion, preserveUnknownFields: false }),
    )
    expect((await readNew(`${path('v1')}/${NAME}`)).json.spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig: webhookClientConfig, conversionReviewVersions: ['v1beta1'] },
    })
  })
  change(row, 'structural-schema', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    const loose = { properties: { spec: { properties: { replicas: {} } } } }
    const bare = [{ name: 'v1', served: true, storage: true }]
    const untyped = [{ ...bare[0], schema: { openAPIV3Schema: loose } }]
    const scoped = { scope: 'Namespaced' }
    expect(
      causesOf(await writeNew(path('v1'), definition(NEW, { ...scoped, versions: bare }))),
    ).toContain('spec.versions[0].schema.openAPIV3Schema')
    expect(
      causesOf(await writeNew(path('v1'), definition(NEW, { ...scoped, versions: untyped }))),
    ).toContain('spec.validation.openAPIV3Schema.type')
    expect((await writeOld(path('v1beta1'), definition(OLD, { versions: untyped }))).status).toBe(
      201,
    )
  })
  change(row, 'preserve-unknown-fields', async () => {
    const { writeOld, writeNew, readOld, readNew } = moving('1.21', '1.22')
    expect(
      (await writeOld(path('v1beta1'), definition(OLD, { version: 'v1' }))).json.spec
        .preserveUnknownFields,
    ).toBe(true)
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Cron',
      metadata: { name: 'a' },
      spec: { anything: 'goes' },
    }
    const objects = '/apis/example.com/v1/namespaces/default/crons'
    await established(
      () => readOld(objects),
      () => readNew(objects),
    )
    expect((await writeOld(objects, object)).json.spec).toEqual({ anything: 'goes' })
    expect((await readNew(`${objects}/a`)).json.spec).toEqual({ anything: 'goes' })
    const rejected = await writeNew(
      path('v1'),
      definition(NEW, { scope: 'Namespaced', versions, preserveUnknownFields: true }),
    )
    expect(causesOf(rejected)).toContain('spec.preserveUnknownFields')
  })
  change(row, 'json-path', async () => {
    const { writeOld, readNew } = moving('1.21', '1.22')
    const columns = (member: string) => [
      { name: 'Replicas', type: 'integer', [member]: '.spec.replicas' },
    ]
    await writeOld(
      path('v1beta1'),
      definition(OLD, {
        versions,
        additionalPrinterColumns: columns('JSONPath'),
        preserveUnknownFields: false,
      }),
    )
    const { json } = await readNew(`${path('v1')}/${NAME}`)
    expect(json.spec.versions[0].additionalPrinterColumns).toEqual(columns('jsonPath'))
  })
})
