/** The words of the documents, fetched when the first document is asked for: they are many. */
import { loadDescriptions } from '../../facts/load-descriptions'
import type { Words } from './documents'

let loading: Promise<Words> | undefined

export function loadWords(): Promise<Words> {
  loading ??= loadDescriptions().then(({ DESCRIPTIONS, PARAMETERS, TEXTS }): Words => {
    const short = (type: string) => type.replace(/^io\.k8s\./, '')
    const find = (type: string, field: string) => TEXTS[DESCRIPTIONS[short(type)]?.[field] ?? -1]
    return {
      ofType: (name) => find(name, ''),
      ofField: (type, field) => find(type, field),
      ofParameter: (name) => PARAMETERS[name],
    }
  })
  return loading
}
