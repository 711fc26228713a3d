/** `fieldPath` of a rule: `.spec.names`, `['a-b'].c`, relative to the value of the rule. */
import { isJsonObject, type JsonObject } from '../../../core/object'

/**
 * @param schema of the value that the path starts at
 * @returns the path as in errors (`.names[first]`: a map key is in brackets; `.[first]` at the
 *   start); undefined if it does not resolve
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
      // Both `true` and `false` describe a member without a schema, at which a path may end.
      found = isJsonObject(additionalProperties) ? additionalProperties : {}
      read += `[${name}]`
    } else return undefined
  }
  // The path is appended with a dot, whatever it starts with. Recorded from kube-apiserver 1.31.
  return read === '' || read.startsWith('.') ? read || undefined : `.${read}`
}
