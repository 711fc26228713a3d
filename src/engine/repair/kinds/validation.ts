/** Invalid fields whose correct value follows from the error or from the rest of the object. */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { nearest } from '../nearest'
import { fieldText, placeOfField, valueAt } from '../place'
import { pathOf } from '../rejection'
import type { Candidate, Edit, Place, Rejection, RepairKind } from '../repair'

interface Faulty {
  error: FieldError
  place: Place
  value: Json | undefined
  object: JsonObject
  /** undefined for a create. */
  stored: JsonObject | undefined
}

/** Values in order of preference; none if the rule does not apply. */
type Rule = (faulty: Faulty) => readonly Json[]

const MOST_VALUES = 4

export const correctFields: RepairKind = {
  name: 'CorrectFields',
  async candidates(rejection) {
    const { errors, object } = rejection
    if (errors.length === 0 || object === undefined) return []
    const stored =
      rejection.request.method === 'POST'
        ? undefined
        : await rejection.read(pathOf(rejection.request))
    const choices: { place: Place; values: readonly Json[] }[] = []
    const known = new Set<string>()
    for (const error of errors) {
      const place = placeOfField(error.field)
      const faulty = { error, place, value: valueAt(object, place), object, stored }
      const values = RULES.map((rule) => rule(faulty)).find(({ length }) => length > 0)
      // Errors without a rule may follow from the others.
      if (values === undefined) continue
      const key = JSON.stringify(place)
      if (known.has(key)) continue
      known.add(key)
      choices.push({ place, values })
    }
    if (choices.length === 0) return []
    const count = Math.min(
      MOST_VALUES,
      choices.reduce((most, { values }) => Math.max(most, values.length), 0),
    )
    return Array.from({ length: count }, (_, at) =>
      candidateOf(
        rejection,
        choices.map(({ place, values }) => ({ place, value: values[at] ?? (values[0] as Json) })),
      ),
    )
  },
}

function candidateOf({ request }: Rejection, edits: Edit[]): Candidate {
  const texts = edits.map(({ place, value }) => `${fieldText(place)} to ${JSON.stringify(value)}`)
  const title = `Set ${texts.join(', ')}`
  const name = edits.find(({ place }) => equalJson(place, ['metadata', 'name']))?.value
  if (typeof name !== 'string' || request.method === 'POST') return { title, edits }
  const [path = '', query] = request.path.split('?')
  const renamed = `${path.slice(0, path.lastIndexOf('/') + 1)}${encodeURIComponent(name)}`
  const target = query === undefined ? renamed : `${renamed}?${query}`
  return { title, edits, request: { ...request, path: target } }
}

const oneOf: Rule = ({ error: { supported = [] }, value }) => {
  const meant = typeof value === 'string' ? nearest(value, supported) : undefined
  return meant === undefined ? supported : [meant]
}

const withinBound: Rule = ({ error: { detail }, value }) => {
  const [, bound] = /(?:greater|less) than or equal to (-?\d+)(?:\.0*)?\b/.exec(detail) ?? []
  return bound === undefined || typeof value !== 'number' ? [] : [Number(bound)]
}

const unchanged: Rule = ({ error: { detail }, place, stored }) => {
  const value = /immutable|may not (?:be )?change/.test(detail) ? valueAt(stored, place) : undefined
  return value === undefined ? [] : [value]
}

const asName: Rule = ({ error: { detail }, value }) => {
  if (typeof value !== 'string' || !/RFC 1123|RFC 1035/.test(detail)) return []
  const name = value
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  const label = name.replace(/\./g, '-')
  return [name, label].filter((text) => text !== '' && text !== value)
}

/** By the end of the field. Values are usual ones, or follow from other fields. */
const REQUIRED: readonly { field: RegExp; value(faulty: Faulty): Json | undefined }[] = [
  { field: /\bselector$/, value: selectorOf },
  { field: /\bmetadata\.labels$/, value: labelsOf },
  { field: /containers\[\d+\]\.name$/i, value: nameOfImage },
  { field: /\bports\[\d+\]\.name$/, value: nameOfPort },
  { field: /\brestartPolicy$/, value: () => 'Never' },
  { field: /\bpathType$/, value: () => 'Prefix' },
  { field: /\bprotocol$/, value: () => 'TCP' },
  { field: /\baccessModes$/, value: () => ['ReadWriteOnce'] },
  { field: /\bresources\.?\[storage\]$|\brequests\[storage\]$/, value: () => '1Gi' },
  { field: /\bapiGroups$/, value: () => [''] },
]

const required: Rule = (faulty) => {
  const { reason, detail, field } = faulty.error
  if (reason !== 'FieldValueRequired' && !/does not match template/.test(detail)) return []
  const value = REQUIRED.find((rule) => rule.field.test(field))?.value(faulty)
  return value === undefined ? [] : [value]
}

const RULES: readonly Rule[] = [oneOf, required, unchanged, withinBound, asName]

const TEMPLATE_LABELS = ['spec', 'template', 'metadata', 'labels']

function selectorOf({ object, place }: Faulty): Json | undefined {
  const labels = valueAt(object, TEMPLATE_LABELS)
  return isJsonObject(labels) && place.length === 2 ? { matchLabels: labels } : undefined
}

function labelsOf({ object, place, value }: Faulty): Json | undefined {
  const selected = valueAt(object, ['spec', 'selector', 'matchLabels'])
  if (!equalJson(place, TEMPLATE_LABELS) || !isJsonObject(selected)) return undefined
  return { ...(isJsonObject(value) ? value : {}), ...selected }
}

function nameOfImage({ object, place }: Faulty): Json | undefined {
  const image = valueAt(object, [...place.slice(0, -1), 'image'])
  if (typeof image !== 'string') return undefined
  const [name = ''] = image.slice(image.lastIndexOf('/') + 1).split(/[:@]/)
  return /^[a-z0-9-]+$/.test(name) ? name : undefined
}

function nameOfPort({ object, place }: Faulty): Json | undefined {
  const item = valueAt(object, place.slice(0, -1))
  const port = isJsonObject(item) ? (item.port ?? item.containerPort) : undefined
  return typeof port === 'number' ? `port-${port}` : undefined
}
