import { expect, test } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import { decodeProtobuf, encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'
import { recordedObjects } from '../schema/recordings'
import { jsonObject } from '../support/json-objects'

/** Removes what Protobuf does not carry: kind and apiVersion of nested objects, and empty lists. */
function carried(value: Json, top = true): Json {
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((item) => carried(item, false))
  if (!isJsonObject(value)) return value
  const nested = !top && isJsonObject(value.metadata) && typeof value.kind === 'string'
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !nested || (name !== 'kind' && name !== 'apiVersion'))
      .map(([name, member]) => [name, carried(member, false)]),
  )
}

test('every recorded object round-trips through Protobuf', {
  timeout: 120_000,
}, () => {
  let count = 0
  const differing: string[] = []
  for (const { where, text } of recordedObjects()) {
    const object = JSON.parse(text) as JsonObject
    count++
    try {
      const back = decodeProtobuf(encodeProtobuf(object)).object
      if (JSON.stringify(carried(jsonObject(back))) !== JSON.stringify(carried(object)))
        differing.push(`${where}: ${JSON.stringify(back)} instead of ${JSON.stringify(object)}`)
    } catch (error) {
      differing.push(`${where}: ${error}`)
    }
  }
  expect(differing.slice(0, 3)).toEqual([])
  expect(differing.length).toBe(0)
  expect(count).toBeGreaterThan(5000)
})
