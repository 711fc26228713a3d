import { documentOf } from '../objects/served-documents'
import type { Entry, Words } from './entry'
import { wordsOf } from './field-words'
import { entryOf } from './glossary'
import { type FieldAddress, type ServedField, servedField } from './served-field'

export interface FieldExplanation {
  /** `spec.template.spec.containers[].image` */
  place: string
  words: Words | undefined
  /** Absent if the OpenAPI document does not contain the field. */
  served: ServedField | undefined
  value: Entry | undefined
}

export const placeText = (path: readonly string[]): string => path.join('.').replaceAll('.[]', '[]')

export async function explainField(address: FieldAddress): Promise<FieldExplanation> {
  const { path, value } = address
  return {
    place: placeText(path),
    words: wordsOf(address),
    served: await documentOf(address.apiVersion).then(
      (document) => document && servedField(document, address),
    ),
    value: value === undefined ? undefined : valueEntry(path, value),
  }
}

/** `type: Available` below conditions, `phase: Pending`, `operation: Apply` … */
function valueEntry(path: readonly string[], value: string): Entry | undefined {
  const name = path.at(-1)
  if (name === 'type' && path.includes('conditions')) return entryOf('condition', value)
  if (name === 'reason' || name === 'phase') return entryOf('state', value)
  if (name === 'operation' && path.includes('managedFields')) return entryOf('ownership', value)
  return undefined
}
