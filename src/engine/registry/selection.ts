/** Label and field selectors of one request, and what they let through. */
import { badRequest } from '../http/status'
import type { KubeObject } from '../object'
import { type FieldSelector, matchesFields, parseFieldSelector, pinnedValue } from '../selectors/fields'
import { type LabelSelector, matchesLabels, parseLabelSelector } from '../selectors/labels'
import type { Resource } from './resource'
import { selectableOf } from './selectable-fields'

export interface Selection {
  labels: LabelSelector
  fields: FieldSelector
  /** Nothing is filtered out. */
  everything: boolean
  /** The selector pins one name, so only one key can match. */
  name: string | undefined
}

export const EVERYTHING: Selection = { labels: [], fields: [], everything: true, name: undefined }

/** @throws ApiError 400 with the parser's message */
export function parseSelection(resource: Resource, labelSelector: string | undefined, fieldSelector: string | undefined): Selection {
  if (!labelSelector && !fieldSelector) return EVERYTHING
  try {
    const labels = parseLabelSelector(labelSelector ?? '')
    const fields = parseFieldSelector(fieldSelector ?? '')
    const known = selectableOf(resource)
    for (const { field } of fields) if (!Object.hasOwn(known.fields, field)) throw new Error(known.refusal(field))
    return { labels, fields, everything: labels.length === 0 && fields.length === 0, name: pinnedValue(fields, 'metadata.name') }
  } catch (error) {
    throw badRequest((error as Error).message)
  }
}

export function selects(selection: Selection, resource: Resource, object: KubeObject): boolean {
  if (selection.everything) return true
  const { labels } = shown(resource, object).metadata
  if (selection.labels.length > 0 && !matchesLabels(selection.labels, labels)) return false
  if (selection.fields.length === 0) return true
  const { fields } = selectableOf(resource)
  return matchesFields(selection.fields, (field) => fields[field]?.(object) ?? '')
}

/** A conversion webhook may change labels: those count that clients see. */
const shown = (resource: Resource, object: KubeObject): KubeObject =>
  resource.conversion && resource.fromHub ? resource.fromHub(object) : object
