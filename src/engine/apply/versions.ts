import type { JsonObject } from '../core/object'
import { ApiError, serverError } from '../http/status'
import type { StructType } from '../schema/model'
import { EMPTY, type FieldSet } from './field-set'
import { listed, problemsOf } from './validate'

/** kube-apiserver shares no results between conversions of one write. */
export interface ConversionCall {
  step: string
  /** How often kube-apiserver converts the object in this step. */
  times: number
}

export interface KindVersions {
  /**
   * True for built-in kinds. Reset fields of custom resources apply only in the request's version:
   * a status owner in another version loses it to a write of the main resource. Compared with
   * kube-apiserver 1.31.
   */
  readonly resetTogether: boolean
  /**
   * undefined: fields written through this missing version are dropped.
   * @throws ApiError where kube-apiserver fails
   */
  typeOf(apiVersion: string): StructType | undefined
  convert(object: JsonObject, from: string, to: string, call: ConversionCall): JsonObject
}

export class Versions {
  constructor(
    readonly apiVersion: string,
    readonly type: StructType,
    private readonly others: KindVersions | undefined,
  ) {}

  /** @returns the reset paths that count as unchanged in the version */
  resetIn(apiVersion: string, reset: FieldSet): FieldSet {
    return apiVersion === this.apiVersion || this.others?.resetTogether !== false ? reset : EMPTY
  }

  typeOf(apiVersion: string): StructType | undefined {
    return apiVersion === this.apiVersion ? this.type : this.others?.typeOf(apiVersion)
  }

  /**
   * @param step the prefix of error messages: `failed to convert old object: `
   * @param times how often kube-apiserver converts the object in this step
   * @throws ApiError 500 if the result does not fit its type: custom versions may lack members, or
   * forbid repeated items. Recorded from kube-apiserver 1.31.
   */
  convert(object: JsonObject, from: string, to: string, step: string, times = 1): JsonObject {
    if (to === from || this.others === undefined) return object
    const converted = this.convertWith(this.others, object, from, to, { step, times })
    const type = this.typeOf(to)
    const problems = type === undefined ? [] : problemsOf(converted, type)
    if (problems.length > 0) throw serverError(`${step}${listed(problems)}`)
    return converted
  }

  private convertWith(
    others: KindVersions,
    object: JsonObject,
    from: string,
    to: string,
    call: ConversionCall,
  ): JsonObject {
    try {
      return others.convert(object, from, to, call)
    } catch (error) {
      throw error instanceof ApiError ? serverError(`${call.step}${error.message}`) : error
    }
  }
}
