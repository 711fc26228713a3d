/** Any kind: metadata, then every field under a title made from its name. */
import type { Json, JsonObject, KubeObject } from '../../engine/core/object'
import { isJsonObject } from '../../engine/core/object'
import { goFormat } from '../../engine/schema/go-text'
import { describes } from './description'
import { head } from './metadata'
import type { Report } from './report'
import { byName } from './words'

/** Internal fields, and those in the head. */
const SKIPPED = new Set([
  '.metadata.managedFields',
  '.metadata.name',
  '.metadata.namespace',
  '.metadata.labels',
  '.metadata.annotations',
])

export const anyKind = describes<KubeObject>({
  write: (report, object) => {
    head(report, object.metadata as Parameters<typeof head>[1])
    members(report, 0, object as unknown as JsonObject, '')
  },
})

function members(report: Report, level: number, object: JsonObject, path: string): void {
  for (const name of Object.keys(object).sort(byName)) {
    const memberPath = `${path}.${name}`
    if (SKIPPED.has(memberPath)) continue
    const value = object[name] as Json
    const title = memberTitle(name)
    if (Array.isArray(value)) {
      report.line(level, `${title}:`)
      for (const item of value) {
        if (isJsonObject(item)) members(report, level + 1, item, memberPath)
        else report.line(level + 1, goFormat(item))
      }
    } else if (isJsonObject(value)) {
      report.line(level, `${title}:`)
      members(report, level + 1, value, memberPath)
    } else report.field(level, title, goFormat(value))
  }
}

const ACRONYMS = new Set(['API', 'URL', 'UID', 'OSB', 'GUID'])

/** `creationTimestamp` -> `Creation Timestamp`; names with digits and other characters are unchanged. */
export function memberTitle(name: string): string {
  if (!/^[\p{L}-]*$/u.test(name)) return name
  return camelWords(name)
    .map((word) =>
      ACRONYMS.has(word.toUpperCase())
        ? word.toUpperCase()
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ')
}

/**
 * Runs of lower case, upper case and others. A run's last capital belongs to the lower-case letters
 * after it.
 */
const camelWords = (name: string): string[] =>
  name.match(/\p{Lu}\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Ll}+|[^\p{L}]+|\p{L}/gu) ?? []
