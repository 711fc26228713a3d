/** Members named like those of every JavaScript object are data like any other, anywhere. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { CONFIG_MAPS, configMap, testServer } from '../registry/server'

const NAMES = [
  'toString',
  'valueOf',
  'constructor',
  'hasOwnProperty',
  'toJSON',
  'length',
  '__proto__',
]
/** What cannot be made a text by JavaScript's own rules. */
const textless = Object.fromEntries(NAMES.map((name) => [name, {}])) as JsonObject

const PLACES = [
  'apiVersion',
  'kind',
  'metadata',
  'data',
  'metadata.name',
  'metadata.labels',
  'metadata.annotations.a',
  'metadata.resourceVersion',
]

/** The document with a value at a path. */
function withValue(document: JsonObject, path: string, value: JsonObject): JsonObject {
  const [first = '', ...rest] = path.split('.')
  const inner = document[first] as JsonObject | undefined
  return {
    ...document,
    [first]: rest.length === 0 ? value : withValue(inner ?? {}, rest.join('.'), value),
  }
}

const WAYS: [method: string, target: string, type: string, document: JsonObject][] = [
  ['POST', CONFIG_MAPS, 'application/json', configMap('b')],
  ['PUT', `${CONFIG_MAPS}/a`, 'application/json', configMap('a')],
  ['PATCH', `${CONFIG_MAPS}/a`, 'application/merge-patch+json', {}],
  ['PATCH', `${CONFIG_MAPS}/a`, 'application/strategic-merge-patch+json', {}],
  ['PATCH', `${CONFIG_MAPS}/a?fieldManager=m`, 'application/apply-patch+yaml', configMap('a')],
  ['PATCH', `${CONFIG_MAPS}/new?fieldManager=m`, 'application/apply-patch+yaml', configMap('new')],
]

/** The server drops an unknown member of metadata without an error. */
const isLeftOut = (type: string, place: string) =>
  place === 'metadata' && type.endsWith('merge-patch+json')

describe.each(WAYS)('%s %s as %s', (method, target, type, document) => {
  it.each(PLACES)(
    'with such an object at %s gets the same response as with any other object',
    async (place) => {
      const server = testServer()
      await server.send('POST', CONFIG_MAPS, configMap('a'))
      // Whatever the engine fails at by itself it writes down, and this throws then.
      const responded = async (value: JsonObject) => {
        const { status, body } = await server.send<{ reason?: string }>(
          method,
          target,
          withValue(document, place, value),
          type,
        )
        return [status, body.reason]
      }
      const usual = await responded({ usual: {} })
      expect(await responded(textless)).toEqual(usual)
      expect(usual[0] === 200).toBe(isLeftOut(type, place))
    },
  )
})

it('values under such names are kept', async () => {
  const server = testServer()
  const data = Object.fromEntries(NAMES.map((name) => [name, `value of ${name}`]))
  const { body } = await server.send<KubeObject>('POST', CONFIG_MAPS, configMap('kept', data))
  expect(Object.entries(body.data as JsonObject).sort()).toEqual(Object.entries(data).sort())
})
