import type { JsonObject } from '../core/object'
import { ApiError, serverError } from '../http/status'
import type { StructType } from '../schema/model'
import { EMPTY, type FieldSet } from './field-set'
import { listed, problemsOf } from './validate'

/** A conversion within one write: kube-apiserver shares no results between them. */
export interface ConversionCall {
  step: string
  /** How often kube-apiserver converts the object in this step. */
  times: number
}

export interface KindVersions {
  /**
   * Whether reset fields apply in every version, as for built-in kinds; for custom resources only
   * in that of the request. Compared with kube-apiserver 1.31.
   */
  readonly resetTogether: boolean
  /** undefined: there is no such version, and its fields are dropped. @throws ApiError */
  typeOf(apiVersion: string): StructType | undefined
  convert(object: JsonObject, from: string, to: string, call: ConversionCall): JsonObject
}

export class Versions {
  constructor(
    readonly apiVersion: string,
    readonly type: StructType,
    private readonly others: KindVersions | undefined,
  ) {}

  resetIn(apiVersion: string, reset: FieldSet): FieldSet {
    return apiVersion === this.apiVersion || this.others?.resetTogether !== false ? reset : EMPTY
  }

  typeOf(apiVersion: string): StructType | undefined {
    return apiVersion === this.apiVersion ? this.type : this.others?.typeOf(apiVersion)
  }

  /**
   * @param step prefix of errors: `failed to convert old object: `
   * @param times conversions of kube-apiserver
   * @throws ApiError 500 if the result does not fit its type (recorded from kube-apiserver 1.31)
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
