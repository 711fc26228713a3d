import { entryOf } from '../../../engine/core/object'
import type { Words } from './entry'
import { FIELD_WORDS } from './glossary/fields'
import type { FieldAddress } from './served-field'

/** A template's metadata is metadata too. */
export function wordsOf({ kind, path }: Pick<FieldAddress, 'kind' | 'path'>): Words | undefined {
  const names = path.filter((name) => name !== '[]')
  const place = names.join('.')
  const below = names.lastIndexOf('metadata')
  const common = FIELD_WORDS['']
  return (
    entryOf(entryOf(FIELD_WORDS, kind), place) ??
    entryOf(common, place) ??
    (below > 0 ? entryOf(common, names.slice(below).join('.')) : undefined)
  )
}
