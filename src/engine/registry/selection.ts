import { entryOf, type KubeObject } from '../core/object'
import { badRequest } from '../http/status'
import {
  type FieldSelector,
  matchesFields,
  parseFieldSelector,
  pinnedValue,
} from '../selectors/fields'
import { type LabelSelector, matchesLabels, parseLabelSelector } from '../selectors/labels'
import type { Resource } from './resource'
import { ANY, NAME, NAMES, notSupported, type Selectable } from './selectable-fields'

export interface Selection {
  labels: LabelSelector
  fields: FieldSelector
  everything: boolean
  /** Set if the selector requires one name. */
  name: string | undefined
}

const EVERYTHING: Selection = { labels: [], fields: [], everything: true, name: undefined }

export type Selectors = Pick<Selection, 'labels' | 'fields'>

export function parseSelectors(
  labelSelector: string | undefined,
  fieldSelector: string | undefined,
): Selectors {
  if (!labelSelector && !fieldSelector) return EVERYTHING
  try {
    return {
      labels: parseLabelSelector(labelSelector ?? ''),
      fields: parseFieldSelector(fieldSelector ?? ''),
    }
  } catch (error) {
    throw badRequest((error as Error).message)
  }
}

function selectableOf({ rules, namespaced, strategy }: Resource): Selectable {
  if (strategy.selectableFields === undefined) return rules.selectable ?? ANY
  return {
    fields: { ...(namespaced ? NAMES : NAME), ...strategy.selectableFields },
    rejection: notSupported,
  }
}

/** @throws ApiError 400 for an unsupported field, or if `name` is excluded */
export function selectionOf(
  resource: Resource,
  { labels, fields: fieldTerms }: Selectors,
  name = '',
): Selection {
  const known = selectableOf(resource)
  for (const { field } of fieldTerms)
    if (!Object.hasOwn(known.fields, field)) throw badRequest(known.rejection(field))
  if (name !== '' && fieldTerms.length > 0 && pinnedValue(fieldTerms, 'metadata.name') !== name)
    throw badRequest("fieldSelector metadata.name doesn't match requested name")
  const fields =
    name === '' || fieldTerms.length > 0
      ? fieldTerms
      : [{ field: 'metadata.name', equal: true, value: name }]
  if (labels.length === 0 && fields.length === 0) return EVERYTHING
  return { labels, fields, everything: false, name: pinnedValue(fields, 'metadata.name') }
}

export function selects(selection: Selection, resource: Resource, object: KubeObject): boolean {
  if (selection.everything) return true
  const { labels } = shown(resource, object).metadata
  if (selection.labels.length > 0 && !matchesLabels(selection.labels, labels)) return false
  if (selection.fields.length === 0) return true
  const { fields } = selectableOf(resource)
  return matchesFields(selection.fields, (field) => entryOf(fields, field)?.(object) ?? '')
}

/** Selectors apply to the labels that a conversion webhook returns. */
const shown = (resource: Resource, object: KubeObject): KubeObject =>
  resource.conversion && resource.fromHub ? resource.fromHub(object) : object
