import type { JsonObject } from '../../engine/core/object'

/** Prints objects one after the other; what it has printed before may matter (YAML documents, headings). */

export interface Printer {
  print(object: JsonObject): string
}
