/** Loaded on first use. */
import type { Entry, WordKind } from './entry'
import { PLUGINS } from './glossary/admission'
import { CONDITIONS, STATES } from './glossary/conditions'
import { CAUSES, CODES, REASONS } from './glossary/errors'
import { FIELDS } from './glossary/fields'
import { HEADERS, MEDIA } from './glossary/headers'
import { QUERY, STAGES, VERBS } from './glossary/requests'
import { AUDIT, EVENTS, OWNERSHIP, WARNINGS } from './glossary/traces'

export const GLOSSARY: readonly Entry[] = [
  ...REASONS,
  ...CODES,
  ...CAUSES,
  ...VERBS,
  ...STAGES,
  ...PLUGINS,
  ...QUERY,
  ...HEADERS,
  ...MEDIA,
  ...EVENTS,
  ...AUDIT,
  ...CONDITIONS,
  ...STATES,
  ...OWNERSHIP,
  ...WARNINGS,
  ...FIELDS,
]

const byId = new Map(GLOSSARY.map((entry) => [entry.id, entry]))

/**
 * @param name as in the API; headers in any case
 * @returns undefined for an unknown term, such as a custom resource's condition
 */
export function entryOf(kind: WordKind, name: string): Entry | undefined {
  if (kind === 'warning') return warningOf(name)
  if (kind === 'header') return headerOf(name.toLowerCase())
  if (kind === 'media') return mediaOf(name)
  return byId.get(`${kind}/${name}`)
}

const warningOf = (text: string): Entry | undefined =>
  byId.get(`warning/${text}`) ?? WARNING_ENTRIES.find(({ pattern }) => pattern?.test(text))

const WARNING_ENTRIES = GLOSSARY.filter(({ kind }) => kind === 'warning')

/** `impersonate-extra-scopes`: some headers match by prefix. */
function headerOf(name: string): Entry | undefined {
  return (
    byId.get(`header/${name}`) ??
    GLOSSARY.find(
      (entry) => entry.kind === 'header' && entry.name.endsWith('-') && name.startsWith(entry.name),
    )
  )
}

/** `application/json;as=Table;g=meta.k8s.io;v=v1`: picks the most specific match. */
function mediaOf(text: string): Entry | undefined {
  const type = text.replaceAll(' ', '')
  const fitting = GLOSSARY.filter(({ kind, name }) => kind === 'media' && type.startsWith(name))
  return fitting.sort((a, b) => b.name.length - a.name.length)[0]
}
