/** The versions of a kind: entries of managedFields speak of the version through which their manager wrote. */
import { ApiError, serverError } from '../http/status'
import type { JsonObject } from '../object'
import type { StructType } from '../schema/model'
import { EMPTY, type FieldSet } from './field-set'
import { listed, problemsOf } from './validate'

/** What ownership needs to know of a kind's other versions. */
export interface KindVersions {
  /**
   * Whether what an endpoint does not write counts in no version. In custom resources it does in all but that of the request: who
   * wrote a status through another version loses what somebody only sends to the main resource (compared with the real server).
   */
  readonly resetTogether: boolean
  /**
   * The type of the kind in that version. undefined: there is no such version (any more), and what was written through it is
   * forgotten. Throws an ApiError where the real server fails instead.
   */
  typeOf(apiVersion: string): StructType | undefined
  convert(object: JsonObject, from: string, to: string): JsonObject
}

/** One kind, seen through the version of a request. */
export class Versions {
  constructor(
    readonly apiVersion: string,
    readonly type: StructType,
    private readonly others: KindVersions | undefined,
  ) {}

  /** @param reset what the endpoint of the request does not write @returns what of it counts as no change in that version */
  resetIn(apiVersion: string, reset: FieldSet): FieldSet {
    return apiVersion === this.apiVersion || this.others?.resetTogether !== false ? reset : EMPTY
  }

  typeOf(apiVersion: string): StructType | undefined {
    return apiVersion === this.apiVersion ? this.type : this.others?.typeOf(apiVersion)
  }

  /**
   * An object of one version in another.
   * @param step what is being done, as its failure tells it: `failed to convert old object: `
   * @throws ApiError 500 if it could not be converted, or does not fit the type there: versions of custom resources may lack each
   *   other's members, or allow no item twice (recorded; nobody asks what a version's own objects repeat)
   */
  convert(object: JsonObject, from: string, to: string, step: string): JsonObject {
    if (to === from || this.others === undefined) return object
    const converted = this.asked(this.others, object, from, to, step)
    const type = this.typeOf(to)
    const problems = type === undefined ? [] : problemsOf(converted, type)
    if (problems.length > 0) throw serverError(`${step}${listed(problems)}`)
    return converted
  }

  private asked(
    others: KindVersions,
    object: JsonObject,
    from: string,
    to: string,
    step: string,
  ): JsonObject {
    try {
      return others.convert(object, from, to)
    } catch (error) {
      throw error instanceof ApiError ? serverError(`${step}${error.message}`) : error
    }
  }
}
