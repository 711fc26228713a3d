/** The versions of a kind: entries of managedFields speak of the version through which their manager wrote. */
import type { JsonObject } from '../object'
import type { StructType } from '../schema/model'

/** What ownership needs to know of a kind's other versions. */
export interface KindVersions {
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

  typeOf(apiVersion: string): StructType | undefined {
    return apiVersion === this.apiVersion ? this.type : this.others?.typeOf(apiVersion)
  }

  /** An object of the request's version in that one. */
  convert(object: JsonObject, to: string): JsonObject {
    if (to === this.apiVersion || this.others === undefined) return object
    return this.others.convert(object, this.apiVersion, to)
  }

  /** An object of that version in the request's one. */
  convertBack(object: JsonObject, from: string): JsonObject {
    if (from === this.apiVersion || this.others === undefined) return object
    return this.others.convert(object, from, this.apiVersion)
  }
}
