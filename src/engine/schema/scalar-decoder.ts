/** Scalars, with the errors of Go's encoding/json. */
import type { Json, JsonObject } from '../core/object'
import { base64OfBytes, canonicalBase64 } from './base64'
import { DecodeError, kindOf } from './decode-error'
import { fieldNames, type Step, shortGoName } from './decode-path'
import { FormatError } from './format-error'
import type { DocumentDetails } from './json-parser'
import type { ScalarType, StructType, TypeNode } from './model'
import { canonicalQuantity, WRONG_FORMAT } from './quantity'
import { canonicalMicroTime, canonicalTime } from './time'

export abstract class ScalarDecoder {
  /** The first error that does not end decoding. */
  protected first: DecodeError | undefined
  protected readonly path: Step[] = []
  protected owner: StructType | undefined

  constructor(protected readonly details: DocumentDetails | undefined) {}

  protected mismatch(found: string, goType: string): DecodeError {
    const place =
      this.owner === undefined
        ? 'value'
        : `struct field ${shortGoName(this.owner)}.${fieldNames(this.path)}`
    return new DecodeError(`json: cannot unmarshal ${found} into Go ${place} of type ${goType}`, {
      found,
      goType,
    })
  }

  /**
   * A later error of a type with its own decoder replaces this one.
   * @param literal set for a number of the wrong size
   */
  protected fail(value: Json, type: TypeNode, literal?: string): undefined {
    this.first ??= this.mismatch(
      literal === undefined ? kindOf(value) : `number ${literal}`,
      type.goType ?? type.type,
    )
    return undefined
  }

  protected isPlain(type: TypeNode, value: Json): boolean {
    if (type.type !== 'scalar') return false
    switch (type.format) {
      case 'string':
        return typeof value === 'string'
      case 'boolean':
        return typeof value === 'boolean'
      case 'int32':
      case 'int64':
        // Without details all numbers print as written.
        return this.details === undefined && isPlainInteger(value, type.format)
      default:
        return false
    }
  }

  protected scalar(
    type: ScalarType,
    value: Json,
    holder: JsonObject | Json[] | undefined,
    place: string | number,
  ): Json | undefined {
    switch (type.format) {
      case 'string':
        if (typeof value === 'string') return value
        break
      case 'boolean':
        if (typeof value === 'boolean') return value
        break
      case 'int32':
      case 'int64':
      case 'double':
        if (typeof value === 'number')
          return this.number(type, value, this.literal(value, holder, place))
        break
      case 'bytes':
        if (typeof value === 'string') return this.bytes(value)
        if (Array.isArray(value)) return this.byteList(value)
        break
      default:
        return this.selfDecoding(type, value, holder, place)
    }
    return value === null ? undefined : this.fail(value, type)
  }

  private literal(
    value: number,
    holder: JsonObject | Json[] | undefined,
    place: string | number,
  ): string {
    const literal =
      holder === undefined ? undefined : this.details?.literals.get(holder)?.get(place)
    return literal ?? String(value)
  }

  protected number(type: ScalarType, value: number, literal: string): number | undefined {
    const fits =
      type.format === 'double'
        ? Number.isFinite(value)
        : isInteger(literal, type.format === 'int32' ? 32 : 64)
    return fits ? value : this.fail(value, type, literal)
  }

  private bytes(value: string): string | undefined {
    try {
      return canonicalBase64(value)
    } catch (error) {
      return this.failBytes((error as Error).message)
    }
  }

  protected failBytes(message: string): undefined {
    this.first ??= new DecodeError(message)
    return undefined
  }

  /** Go accepts lists of numbers. */
  private byteList(list: Json[]): string {
    const byte: ScalarType = { type: 'scalar', format: 'int32', goType: 'uint8' }
    return base64OfBytes(
      list.map((item) => {
        if (typeof item === 'number' && Number.isInteger(item)) {
          const fitting = this.byte(item)
          if (fitting !== undefined) return fitting
        }
        if (item !== null)
          this.fail(item, byte, typeof item === 'number' ? String(item) : undefined)
        return 0
      }),
    )
  }

  protected byte(value: number): number | undefined {
    return value >= 0 && value < 256 ? value : undefined
  }

  /** Their errors end decoding. */
  private selfDecoding(
    type: ScalarType,
    value: Json,
    holder: JsonObject | Json[] | undefined,
    place: string | number,
  ): Json | undefined {
    if (value === null) return undefined
    if (type.format === 'quantity') {
      if (typeof value !== 'string' && typeof value !== 'number')
        throw new FormatError(WRONG_FORMAT)
      return canonicalQuantity(
        typeof value === 'number' ? this.literal(value, holder, place) : value,
      )
    }
    if (type.format === 'intOrString') {
      if (typeof value === 'string') return value
      if (typeof value !== 'number') throw this.mismatch(kindOf(value), 'int32')
      const literal = this.literal(value, holder, place)
      if (!isInteger(literal, 32)) throw this.mismatch(`number ${literal}`, 'int32')
      return value
    }
    if (typeof value !== 'string') throw this.mismatch(kindOf(value), 'string')
    return (type.format === 'time' ? canonicalTime(value) : canonicalMicroTime(value)) ?? undefined
  }
}

function isPlainInteger(value: Json, format: 'int32' | 'int64'): value is number {
  return Number.isSafeInteger(value) && (format === 'int64' || value === ((value as number) | 0))
}

function isInteger(literal: string, bits: 32 | 64): boolean {
  if (!/^-?\d+$/.test(literal)) return false
  const value = Number(literal)
  if (bits === 32) return value >= -2147483648 && value <= 2147483647
  return Number.isSafeInteger(value) || BigInt.asIntN(64, BigInt(literal)) === BigInt(literal)
}
