/** Documents to patch. */
import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/engine/core/object'

/** Small trees of few names and values, so that two of them overlap. */
export function documents({
  names,
  values,
}: {
  names: string[]
  values: Json[]
}): fc.Arbitrary<JsonObject> {
  const scalar = fc.constantFrom(...values)
  const { tree } = fc.letrec<{ tree: JsonObject }>((tie) => ({
    tree: fc.dictionary(
      fc.constantFrom(...names),
      fc.oneof({ maxDepth: 3 }, scalar, fc.array(scalar, { maxLength: 2 }), tie('tree')),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ) as fc.Arbitrary<JsonObject>,
  }))
  return tree
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
