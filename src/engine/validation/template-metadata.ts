/** Rules and texts recorded from kube-apiserver 1.31. */

import type { Json, JsonObject } from '../core/object'
import type { FieldError } from '../http/status'
import { isExplicitEmpty } from '../schema/explicit-empties'
import { forbiddenField } from './field-errors'
import { labelErrors } from './label-selectors'
import { validateAnnotations } from './object-meta'

/** Templates have only labels and annotations. Paths are kube-apiserver's. */
const NOT_IN_TEMPLATE: readonly (readonly [member: string, shown?: string])[] = [
  ...([
    ['name'],
    ['generateName'],
    ['namespace'],
    ['selfLink'],
    ['uid', 'uID'],
    ['resourceVersion'],
    ['generation'],
  ] as const),
  ...([['creationTimestamp'], ['deletionTimestamp'], ['deletionGracePeriodSeconds']] as const),
  ...([['ownerReferences'], ['finalizers'], ['managedFields']] as const),
]

/** Here zero is not absent. */
const GRACE = 'deletionGracePeriodSeconds'

/** For claim templates of volumes and of devices. */
export function templateMetadataErrors(meta: JsonObject, path: string): FieldError[] {
  const maps = meta as { annotations?: Record<string, string>; labels?: Record<string, string> }
  const isSet = (value: Json | undefined, member: string) =>
    Boolean(value) || (value === 0 && member === GRACE) || isExplicitEmpty(meta, member)
  const set = NOT_IN_TEMPLATE.filter(([member]) => isSet(meta[member], member))
  return [
    ...validateAnnotations(maps.annotations, `${path}.annotations`),
    ...labelErrors(maps.labels, `${path}.labels`),
    ...set.map(([member, shown = member]) => forbiddenField(`${path}.${shown}`, 'cannot be set')),
  ]
}
