/** Opens a schema's rule in the CEL playground. */

import { isJsonObject, type Json } from '../../../engine/core/object'
import { yamlText } from '../manifests/yaml'
import { useBench } from './bench-state'
import type { SchemaRow } from './schema-rows'
import { goToPolicy } from './state'
import { readText } from './yaml-text'

export function tryRule(
  expression: string,
  { schema, path, depth, count }: SchemaRow,
  sample: string,
): void {
  const self = valueUnder(objectOf(sample), stepsIn(path))
  useBench.getState().change({
    place: 'rule',
    use: 'new',
    expression,
    schema: yamlText(schema),
    object: self === undefined ? '' : yamlText(self),
    oldObject: '',
    count,
    isRoot: depth === 0,
  })
  goToPolicy('bench')
}

function objectOf(text: string): Json | undefined {
  try {
    return readText(text)
  } catch {
    return undefined
  }
}

/** `….properties[spec].items` -> [`spec`, `[]`] */
function stepsIn(path: string): string[] {
  return [...path.matchAll(/\.properties\[([^\]]+)\]|\.(items|additionalProperties)/g)].map(
    ([, name, inside]) => name ?? inside ?? '',
  )
}

function valueUnder(value: Json | undefined, steps: readonly string[]): Json | undefined {
  let at = value
  for (const step of steps) {
    if (Array.isArray(at)) at = at[0]
    else if (isJsonObject(at))
      at = step === 'additionalProperties' ? Object.values(at)[0] : at[step]
    else return undefined
  }
  return at
}
