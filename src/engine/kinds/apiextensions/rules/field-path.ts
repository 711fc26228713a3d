/** `.spec.names`, `['a-b'].c`, relative to the rule's value. */
import { isJsonObject, type JsonObject } from '../../../core/object'

/** @returns the path in errors: `.names[first]` for a map key */
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
      // `true` and `false` describe a member without schema: the path may end there.
      found = isJsonObject(additionalProperties) ? additionalProperties : {}
      read += `[${name}]`
    } else return undefined
  }
  // Always joined by a dot.
  return read === '' || read.startsWith('.') ? read || undefined : `.${read}`
}
