/** Descriptions of the documents, loaded on the first request because they are large. */

import { loadDescriptions } from '../../generated/load-descriptions'
import { entryOf } from '../../object'
import type { Words } from './documents'

/** Where types of a package are described that has no newer version itself. */
const CONTINUED: Record<string, string[]> = { extensions: ['apps.v1', 'networking.v1'] }

/**
 * The types of the same name in later versions: removed versions have no descriptions of their own.
 */
function newerTypes(type: string): string[] {
  const [, root = '', group = '', name = ''] = /^(.*)\.([^.]+)\.v\d[^.]*\.([^.]+)$/.exec(type) ?? []
  return (entryOf(CONTINUED, group) ?? [`${group}.v1`, `${group}.v2`])
    .map((place) => `${root}.${place}.${name}`)
    .filter((other) => other !== type)
}

let loading: Promise<Words> | undefined

export function loadWords(): Promise<Words> {
  loading ??= loadDescriptions().then(({ DESCRIPTIONS, PARAMETERS, TEXTS }): Words => {
    const short = (type: string) => type.replace(/^io\.k8s\./, '')
    const find = (type: string, field: string) => {
      const described = [short(type), ...newerTypes(short(type))].find(
        (name) => entryOf(entryOf(DESCRIPTIONS, name) ?? {}, field) !== undefined,
      )
      return described === undefined
        ? undefined
        : TEXTS[entryOf(entryOf(DESCRIPTIONS, described) ?? {}, field) ?? -1]
    }
    return {
      ofType: (name) => find(name, ''),
      ofField: (type, field) => find(type, field),
      ofParameter: (name) => entryOf(PARAMETERS, name),
    }
  })
  return loading
}
