/** `fieldPath`: `.spec.names`, `['a-b'].c`, relative to the rule's value. */
import { isJsonObject, type JsonObject } from '../../../core/object'

/** @returns the path in errors, map keys in brackets: `.names[first]`; undefined if unresolvable */
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
      // `true` and `false` describe a member without schema, where a path may end.
      found = isJsonObject(additionalProperties) ? additionalProperties : {}
      read += `[${name}]`
    } else return undefined
  }
  // Always joined by a dot (kube-apiserver 1.31).
  return read === '' || read.startsWith('.') ? read || undefined : `.${read}`
}
