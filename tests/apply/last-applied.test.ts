/**
 * Migration from client-side to server-side apply and back with the last-applied annotation.
 * Recorded from kube-apiserver 1.31.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { applyObject, specOf, updateObject, V1, type Written } from './widget'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

const configuration = (spec: JsonObject): JsonObject => ({
  apiVersion: V1,
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
})

function appliedByClient(spec: JsonObject, manager = 'kubectl-client-side-apply'): Written {
  const annotations = { [LAST_APPLIED]: JSON.stringify(configuration(spec)) }
  return updateObject(undefined, manager, {
    apiVersion: V1,
    kind: 'Widget',
    metadata: { name: 'w', annotations },
    spec,
  })
}

const annotationOf = ({ object }: Written): JsonObject | undefined => {
  const text = object.metadata.annotations?.[LAST_APPLIED]
  return text === undefined ? undefined : JSON.parse(text)
}

describe('kubectl', () => {
  it('has no conflict about unchanged fields of its client-side apply', () => {
    const taken = applyObject(
      appliedByClient({ replicas: 1 }),
      'kubectl',
      configuration({ replicas: 2 }),
    )
    expect(specOf(taken)).toEqual({ replicas: 2 })
  })

  it('has a conflict about a field that another manager changed', () => {
    const live = appliedByClient({ replicas: 1 })
    const changed = updateObject(live, 'hand', { ...live.object, spec: { replicas: 5 } })
    expect(() => applyObject(changed, 'kubectl', configuration({ replicas: 2 }))).toThrow(
      'conflict with "hand" using example.com/v1: .spec.replicas',
    )
  })

  it('keeps the annotation up to date, so that a return is possible', () => {
    const taken = applyObject(
      appliedByClient({ replicas: 1 }),
      'kubectl',
      configuration({ replicas: 2, image: 'x' }),
    )
    expect(annotationOf(taken)).toEqual(configuration({ replicas: 2, image: 'x' }))
    expect(taken.object.metadata.annotations?.[LAST_APPLIED]).toBe(
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"image":"x","replicas":2}}\n',
    )
  })

  it('does not add the annotation if the object has none', () => {
    const applied = applyObject(undefined, 'kubectl', configuration({ replicas: 2 }))
    expect(applied.object.metadata.annotations).toBeUndefined()
  })

  it('drops an annotation that would become too large', () => {
    const large = configuration({ image: 'x'.repeat(256 * 1024) })
    const taken = applyObject(appliedByClient({ image: 'y' }), 'kubectl', large)
    expect(taken.object.metadata.annotations).toEqual({})
  })
})

describe('another manager', () => {
  it('has the conflict, and leaves the annotation unchanged', () => {
    const live = appliedByClient({ replicas: 1 })
    expect(() => applyObject(live, 'other', configuration({ replicas: 2 }))).toThrow(
      'conflict with "kubectl-client-side-apply"',
    )
    expect(
      annotationOf(applyObject(live, 'other', configuration({ replicas: 2 }), { force: true })),
    ).toEqual(configuration({ replicas: 1 }))
  })
})

describe('an invalid annotation prevents no conflict', () => {
  it.each([
    ['no JSON', '{'],
    [
      'another version',
      JSON.stringify({ ...configuration({ replicas: 1 }), apiVersion: 'example.com/v2' }),
    ],
    [
      'something that does not fit the type',
      JSON.stringify(configuration({ replicas: 1, size: 1 })),
    ],
  ])('%s', (_what, text) => {
    const live = appliedByClient({ replicas: 1 })
    const annotations = { [LAST_APPLIED]: text }
    const spoiled: Written = {
      ...live,
      object: { ...live.object, metadata: { ...live.object.metadata, annotations } },
    }
    expect(() => applyObject(spoiled, 'kubectl', configuration({ replicas: 2 }))).toThrow(
      'Apply failed with 1 conflict',
    )
  })
})
