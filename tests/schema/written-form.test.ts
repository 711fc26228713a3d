import { describe, expect, it } from 'vitest'
import { equalJson, type JsonObject } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import { decodeObject } from '../../src/engine/schema/decode'
import { copyExplicitEmpties, isExplicitEmpty } from '../../src/engine/schema/explicit-empties'
import {
  copyExplicitQuantity,
  explicitQuantity,
  recordRounded,
} from '../../src/engine/schema/explicit-quantities'
import type { StructType } from '../../src/engine/schema/model'
import { writtenForm } from '../../src/engine/schema/written-form'
import { jsonObject } from '../support/json-objects'

const quota = builtinModel().byKind('', 'v1', 'ResourceQuota') as StructType

const specOf = (hard: Record<string, string>, scopes?: string[]) => {
  const spec: JsonObject = scopes === undefined ? { hard } : { hard, scopes }
  const { object } = decodeObject(quota, { metadata: { name: 'q' }, spec })
  return object.spec as { hard: Record<string, string> }
}

describe('the written form of a decoded value', () => {
  it('has what decoding changed', () => {
    const spec = specOf({ cpu: '1500m', pods: '2' }, [])
    expect(isExplicitEmpty(spec, 'scopes')).toBe(true)
    expect(spec.hard).toEqual({ cpu: '1500m', pods: '2' })
    expect(explicitQuantity(specOf({ cpu: '1.5' }).hard, 'cpu')).toBe('1.5')
  })

  it('is absent where nothing changed', () => {
    const spec = specOf({ cpu: '1500m' })
    expect(writtenForm(spec)).toBeUndefined()
    expect(writtenForm(spec.hard)).toBeUndefined()
  })

  it('is neither encoded, enumerated, compared nor cloned', () => {
    const [written, canonical] = [specOf({ cpu: '1.5' }, []), specOf({ cpu: '1500m' })]
    expect(JSON.stringify(written)).toBe(JSON.stringify(canonical))
    expect(Object.keys(written)).toEqual(['hard'])
    expect(equalJson(jsonObject(written), jsonObject(canonical))).toBe(true)
    expect(writtenForm({ ...written })).toBeUndefined()
    expect(writtenForm(structuredClone(written))).toBeUndefined()
  })

  it('is copied explicitly, and changes apart from the original', () => {
    const spec = specOf({ cpu: '1.5' }, [])
    const copy = { ...spec, hard: { ...spec.hard } }
    copyExplicitEmpties(spec, copy)
    copyExplicitQuantity(spec.hard, copy.hard, 'cpu')
    expect(isExplicitEmpty(copy, 'scopes')).toBe(true)
    recordRounded(copy.hard, 'cpu', '1.501')
    expect(explicitQuantity(copy.hard, 'cpu')).toBe('1.501')
    expect(explicitQuantity(spec.hard, 'cpu')).toBe('1.5')
  })
})
