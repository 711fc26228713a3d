/**
 * Converts values of strategic merge patches and server-side apply. Rules and messages differ from
 * JSON's (recordings `patch-strategic`, `apply-structures`). See k8s.io/apimachinery,
 * pkg/runtime/converter.go.
 */
import type { Json } from '../core/object'
import { DecodeError } from './decode-error'
import { Decoder } from './decoder'
import { membersSorted } from './json-parser'
import type { AnyType, ScalarType, TypeNode } from './model'

/** Any error ends the conversion. */
export class Converter extends Decoder {
  constructor(canonical: ReadonlySet<Json> | undefined) {
    super(undefined, true, 0, canonical)
  }

  protected override fail(value: Json, type: TypeNode): never {
    throw new DecodeError(conversionError(value, type))
  }

  /** kube-apiserver 1.31 encodes raw JSON again, with sorted members. */
  protected override any(type: AnyType, value: Json): Json | undefined {
    return super.any(type, type.objects === undefined ? membersSorted(value) : value)
  }

  /** Types with their own codec do not know their path. */
  protected override mismatch(found: string, goType: string): DecodeError {
    return new DecodeError(`json: cannot unmarshal ${found} into Go value of type ${goType}`)
  }

  protected override number(type: ScalarType, value: number): number | undefined {
    if (type.format === 'double') return value
    if (!Number.isInteger(value)) return this.fail(value, type)
    const bits = type.format === 'int32' ? 32 : 64
    // Overflows drop the higher bits; values beyond int64 first become the smallest int64. Recorded
    // from kube-apiserver 1.31.
    if (Math.abs(value) < 2 ** (bits - 1)) return value
    return Number(BigInt.asIntN(bits, Math.abs(value) < 2 ** 63 ? BigInt(value) : -(2n ** 63n)))
  }

  protected override byte(value: number): number {
    return Number(BigInt.asUintN(8, BigInt(value)))
  }

  protected override failBytes(message: string): never {
    throw new DecodeError(`error decoding from json: ${message}`)
  }
}

function conversionError(value: Json, type: TypeNode): string {
  const from = kindOfValue(value)
  switch (type.type) {
    case 'struct':
      return `cannot restore struct from: ${from}`
    case 'map':
    case 'list':
      return `cannot restore ${type.type === 'map' ? 'map' : 'slice'} from ${from}`
    default:
      if (type.type === 'scalar' && type.format === 'bytes')
        return `cannot restore slice from ${from}`
      return convertible(value, type)
        ? `cannot convert ${from} to ${type.goType}`
        : `unrecognized type: ${kindOfType(type)}`
  }
}

function kindOfValue(value: Json): string {
  if (Array.isArray(value)) return 'slice'
  if (typeof value === 'object') return 'map'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

/** In Go, unlike in JSON, these values convert, so the error is another one. */
function convertible(value: Json, type: TypeNode): boolean {
  if (type.type !== 'scalar' || typeof value !== 'number') return false
  if (type.format === 'string') return Number.isInteger(value)
  return type.format === 'int32' || type.format === 'int64' || type.format === 'double'
}

function kindOfType(type: TypeNode): string {
  if (type.type !== 'scalar') return 'interface'
  if (type.goType === 'uint8') return type.goType
  const kinds: Partial<Record<typeof type.format, string>> = { boolean: 'bool', double: 'float64' }
  return kinds[type.format] ?? type.format
}
