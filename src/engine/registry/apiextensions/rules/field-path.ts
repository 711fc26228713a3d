/** Where a rule says that its error belongs: `.spec.names`, `['a-b'].c`, from the value that it is a rule of. */
import { isJsonObject, type JsonObject } from '../../../object'

/**
 * @param schema of the value that the path begins at
 * @returns the path as errors name it (`.names[first]`: a member of a map stands in brackets; `.[first]` if the path begins with it); undefined if it leads nowhere
 */
export function readFieldPath(path: string, schema: JsonObject): string | undefined {
  let rest = path
  let found = schema
  let read = ''
  while (rest !== '') {
    const step = /^(?:\.([^.[\]'\n]+)|\['([^'\n]+)'\])/.exec(rest)
    if (step === null) return undefined
    rest = rest.slice(step[0].length)
    const name = (step[1] ?? step[2]) as string
    const { properties, additionalProperties } = found
    const property =
      isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isJsonObject(property)) {
      found = property
      read += `.${name}`
    } else if (additionalProperties !== undefined) {
      // `true` and `false` alike: a path may end at a member without a schema, and leads no further.
      found = isJsonObject(additionalProperties) ? additionalProperties : {}
      read += `[${name}]`
    } else return undefined
  }
  // A path is one name below its place, whatever it begins with (recorded).
  return read === '' || read.startsWith('.') ? read || undefined : `.${read}`
}
