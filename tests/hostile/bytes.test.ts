/** Protobuf bodies that are wrong in ways that the bytes alone show. */
import { describe, expect, it } from 'vitest'
import { PROTOBUF_MAGIC } from '../../src/engine/core/names'
import { decodeProtobuf, ProtobufError } from '../../src/engine/encoding/protobuf/codec'

const delimited = (number: number, content: Uint8Array | string) => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Uint8Array.from([number * 8 + 2, bytes.length]), bytes])
}
const body = (apiVersion: string, kind: string, raw: Uint8Array) =>
  Buffer.concat([
    Uint8Array.from(PROTOBUF_MAGIC),
    delimited(1, Buffer.concat([delimited(1, apiVersion), delimited(2, kind)])),
    delimited(2, raw),
  ])

describe('a Protobuf body', () => {
  it('keeps a key that means something to JavaScript', () => {
    const entry = Buffer.concat([delimited(1, '__proto__'), delimited(2, 'x')])
    const { object } = decodeProtobuf(body('v1', 'ConfigMap', delimited(2, entry)))
    expect(JSON.stringify(object.data)).toBe('{"__proto__":"x"}')
  })

  it('is rejected if a field has the bytes of another type', () => {
    const number = Uint8Array.from([1 * 8 + 0, 5])
    expect(() => decodeProtobuf(body('v1', 'ConfigMap', number))).toThrow(
      'proto: wrong wireType = 0 for field ObjectMeta',
    )
    expect(() => decodeProtobuf(body('v1', 'ConfigMap', Uint8Array.from([0x0b])))).toThrow(
      ProtobufError,
    )
  })

  it('is rejected if a time cannot be written as text', () => {
    const seconds = Uint8Array.from([1 * 8 + 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f])
    expect(() =>
      decodeProtobuf(body('v1', 'ConfigMap', delimited(1, delimited(8, seconds)))),
    ).toThrow('are out of range for a time')
  })

  it('is rejected if it contains invalid JSON', () => {
    const data = delimited(2, delimited(1, '{"a":'))
    expect(() => decodeProtobuf(body('apps/v1', 'ControllerRevision', data))).toThrow(
      'unexpected end of JSON input',
    )
  })

  it('may hold numbers of a list together', () => {
    // supplementalGroups is field 4 of a PodSecurityContext, which is field 14 of a PodSpec.
    const groups = delimited(4, Uint8Array.from([1, 2, 3]))
    const { object } = decodeProtobuf(body('v1', 'Pod', delimited(2, delimited(14, groups))))
    expect((object.spec as { securityContext: object }).securityContext).toMatchObject({
      supplementalGroups: [1, 2, 3],
    })
  })
})
