import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { decodeProtobuf, encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'

interface Pair {
  key: string
  json: JsonObject
  protobuf: string
}

const pairs = JSON.parse(
  gunzipSync(readFileSync(new URL('../conformance/protobuf.json.gz', import.meta.url))).toString(),
) as Pair[]
const kinds = [...new Set(pairs.map(({ key }) => key))]

/** Removes what Protobuf does not carry: the kind of nested objects. */
function withoutInnerKinds(value: JsonObject): JsonObject {
  const claims = (value.spec as JsonObject | undefined)?.volumeClaimTemplates
  if (!Array.isArray(claims)) return value
  const bare = claims.map((claim) => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = claim as JsonObject
    return rest
  })
  return { ...value, spec: { ...(value.spec as JsonObject), volumeClaimTemplates: bare } }
}

describe('recorded objects in both formats', () => {
  for (const kind of kinds) {
    test(kind, () => {
      for (const { json, protobuf } of pairs.filter(({ key }) => key === kind)) {
        const bytes = new Uint8Array(Buffer.from(protobuf, 'base64'))
        expect(JSON.stringify(decodeProtobuf(bytes).object)).toBe(
          JSON.stringify(withoutInnerKinds(json)),
        )
        expect(Buffer.from(encodeProtobuf(json)).toString('base64')).toBe(protobuf)
      }
    })
  }
})
