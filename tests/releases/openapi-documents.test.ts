/** How the OpenAPI documents of releases differ. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { testServer } from '../registry/server'

beforeAll(() => loadTables('1.37'))

interface Schemas {
  components: { schemas: Record<string, { properties: Record<string, JsonObject> }> }
}

async function propertiesOf(release: string, type: string) {
  const { status, body } = await testServer({ release }).send<Schemas>('GET', '/openapi/v3/api/v1')
  expect(status).toBe(200)
  return (body.components.schemas[type] as Schemas['components']['schemas'][string]).properties
}

describe('elements of lists and maps in OpenAPI 3', () => {
  const POD_SPEC = 'io.k8s.api.core.v1.PodSpec'
  const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
  const CONTAINER = { $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }

  it('have the zero value as default until 1.36', async () => {
    const { containers } = await propertiesOf('1.31', POD_SPEC)
    expect(containers?.items).toEqual({ default: {}, allOf: [CONTAINER] })
    const { labels } = await propertiesOf('1.31', OBJECT_META)
    expect(labels?.additionalProperties).toEqual({ type: 'string', default: '' })
  })

  it('have no default since 1.37', async () => {
    const { containers } = await propertiesOf('1.37', POD_SPEC)
    expect(containers?.items).toEqual(CONTAINER)
    const { labels, finalizers } = await propertiesOf('1.37', OBJECT_META)
    expect(labels?.additionalProperties).toEqual({ type: 'string' })
    expect(finalizers?.items).toEqual({ type: 'string' })
  })
})
