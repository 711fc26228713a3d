/** Label and field selectors of one request, and what they let through. */
import { badRequest } from '../http/status'
import type { KubeObject } from '../object'
import { type FieldSelector, matchesFields, parseFieldSelector, pinnedValue, unknownField } from '../selectors/fields'
import { type LabelSelector, matchesLabels, parseLabelSelector } from '../selectors/labels'
import type { Resource } from './resource'

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
    for (const { field } of fields) {
      if (field === 'metadata.name' || field === 'metadata.namespace' || resource.strategy.selectableFields?.[field]) continue
      throw new Error(resource.strategy.unknownFieldText?.(field) ?? unknownField(field).message)
    }
    return { labels, fields, everything: labels.length === 0 && fields.length === 0, name: pinnedValue(fields, 'metadata.name') }
  } catch (error) {
    throw badRequest((error as Error).message)
  }
}

export function selects(selection: Selection, resource: Resource, object: KubeObject): boolean {
  if (selection.everything) return true
  if (selection.labels.length > 0 && !matchesLabels(selection.labels, object.metadata.labels)) return false
  return (
    selection.fields.length === 0 ||
    matchesFields(selection.fields, (field) => {
      if (field === 'metadata.name') return object.metadata.name ?? ''
      if (field === 'metadata.namespace') return object.metadata.namespace ?? ''
      return resource.strategy.selectableFields?.[field]?.(object) ?? ''
    })
  )
}
