import type { JsonObject } from '../../engine/core/object'

/** Prints objects with separators or headings between them. */

export interface Printer {
  print(object: JsonObject): string
}
