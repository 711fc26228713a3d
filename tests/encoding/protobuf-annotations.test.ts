/** Every byte of a Protobuf document belongs to a named field. */
import { describe, expect, it } from 'vitest'
import { PROTOBUF_MAGIC } from '../../src/engine/core/names'
import { annotateProtobuf, type WireField } from '../../src/engine/encoding/protobuf/annotate'
import { encodeProtobuf } from '../../src/engine/encoding/protobuf/codec'

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' }, creationTimestamp: '2024-01-01T00:00:00Z' },
  spec: {
    hostNetwork: true,
    containers: [
      { name: 'a', image: 'x', ports: [{ containerPort: 80 }] },
      { name: 'b', image: 'y' },
    ],
  },
  status: {},
}

const bytes = encodeProtobuf(POD)
const envelope = annotateProtobuf(bytes)
const inside = (fields: readonly WireField[] | undefined, name: string): WireField[] =>
  (fields ?? []).filter((field) => field.name === name)

describe('the annotated bytes of a Pod', () => {
  it('begin with the envelope, whose raw part is the Pod', () => {
    expect(envelope.map(({ number, name }) => [number, name])).toEqual([
      [1, 'typeMeta'],
      [2, 'raw'],
      [3, 'contentEncoding'],
      [4, 'contentType'],
    ])
    expect(inside(envelope, 'raw')[0]?.type).toBe('k8s.io.api.core.v1.Pod')
  })

  it('name fields, numbers and values down to the scalars, an item of a list each', () => {
    const pod = inside(envelope, 'raw')[0]?.fields
    const metadata = inside(pod, 'metadata')[0]?.fields
    expect(inside(metadata, 'name')[0]).toMatchObject({ number: 1, type: 'string', value: '"web"' })
    expect(inside(metadata, 'labels')[0]?.fields?.map(({ name, value }) => [name, value])).toEqual([
      ['key', '"app"'],
      ['value', '"web"'],
    ])
    const spec = inside(pod, 'spec')[0]?.fields
    expect(inside(spec, 'hostNetwork')[0]?.value).toBe('true')
    const containers = inside(spec, 'containers')
    expect(containers.map(({ fields }) => inside(fields, 'name')[0]?.value)).toEqual(['"a"', '"b"'])
    expect(
      inside(inside(containers[0]?.fields, 'ports')[0]?.fields, 'containerPort')[0]?.value,
    ).toBe('80')
  })

  it('leave no byte out: fields are adjacent and fill their parent', () => {
    const walk = (fields: readonly WireField[], from: number, to: number): void => {
      let at = from
      for (const field of fields) {
        expect(field.start).toBe(at)
        expect(field.content).toBeGreaterThan(field.start)
        if (field.fields) walk(field.fields, field.content, field.end)
        at = field.end
      }
      expect(at).toBe(to)
    }
    walk(envelope, PROTOBUF_MAGIC.length, bytes.length)
  })

  it('are rejected if they are not Protobuf', () => {
    expect(() => annotateProtobuf(new Uint8Array([1, 2, 3, 4]))).toThrow(/do not begin/)
    expect(() => annotateProtobuf(bytes.slice(0, bytes.length - 1))).toThrow(/EOF/)
  })
})
