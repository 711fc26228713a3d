/** Prints changed values in Go syntax, or as JSON since 1.34. */

import { unifiedDiff } from '../core/unified-diff'
import type { FieldError } from '../http/status'
import type { Changes } from '../release-tables/changes'
import { forbiddenField } from './field-errors'
import { goDiff } from './go-diff'
import type { GoValue } from './go-value'
import { goValueJson } from './go-value-json'

/**
 * @param changes of the release
 * @returns empty for equal values
 */
export function forbiddenChange(
  changes: Changes,
  field: string,
  why: string,
  before: GoValue,
  after: GoValue,
): FieldError {
  const difference = changes.has('DifferencesOfJson')
    ? unifiedDiff(indented(goValueJson(before)), indented(goValueJson(after)))
    : goDiff(before, after)
  return forbiddenField(field, `${why}\n${difference}`)
}

export function indented(json: string): string {
  let text = ''
  let depth = 0
  const tokens = json.match(/"(?:[^"\\]|\\.)*"?|[[{][\]}]|[[\]{},:]|[^[\]{},:"]+/gs) ?? []
  for (const token of tokens) {
    if (token === '{' || token === '[') text += `${token}\n${' '.repeat(++depth)}`
    else if (token === '}' || token === ']') text += `\n${' '.repeat(--depth)}${token}`
    else if (token === ',') text += `,\n${' '.repeat(depth)}`
    else text += token === ':' ? ': ' : token
  }
  return text
}
