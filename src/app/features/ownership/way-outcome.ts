import { equalJson, type Json, type KubeObject } from '../../../engine/core/object'
import { type ConflictField, effectsOf, type FieldEffect } from './effects'
import { pathText, valueOn } from './field-paths'
import { claimsOf, isApplier, type Owner } from './owners'
import {
  forceAbout,
  leaveAbout,
  leaveTitle,
  namesOf,
  OPTIONS,
  othersThan,
  shareAbout,
} from './texts'
import { valueTexts } from './value-text'
import type { WayOut } from './ways-out'

export interface LiveConflicts {
  live: KubeObject
  conflicts: ConflictField[]
}

export interface WayOption {
  title: string
  about: string
  /** undefined: the user chooses for each field. */
  way: WayOut | undefined
}

/** The options of a manager after a conflict, the safest first. */
export function wayOptions(conflicts: readonly ConflictField[], manager: string): WayOption[] {
  const owners = conflicts.flatMap((conflict) => conflict.owners)
  const others = othersThan(manager, owners)
  const names = namesOf(others)
  const several = new Set(others.map(({ name }) => name)).size > 1
  const shared = owners.some((owner) => isApplier(owner, manager))
  const fields = conflicts.length === 1 ? OPTIONS.field : OPTIONS.fields
  const options: WayOption[] = [
    { title: leaveTitle(fields, names), about: leaveAbout(fields, shared), way: 'leave' },
    { title: OPTIONS.share, about: shareAbout(fields), way: 'share' },
    { title: OPTIONS.force, about: forceAbout(fields, names, several), way: 'force' },
  ]
  return conflicts.length === 1
    ? options
    : [...options, { title: OPTIONS.choices, about: OPTIONS.choicesAbout, way: undefined }]
}

export interface WayOutcome {
  fields: { field: string; text: string; owners: Owner[] }[]
  rest: FieldEffect[]
}

export function outcomeOf(
  { live, conflicts }: LiveConflicts,
  after: KubeObject,
  manager: string,
): WayOutcome {
  const claims = claimsOf(after)
  const fields = conflicts.map(({ field, path, yours, live: was }) => {
    const value = path && valueOn(after as unknown as Json, path)
    // Shows the difference from the value that was not chosen.
    const [text] = valueTexts(value, equalJson(value ?? null, was ?? null) ? yours : was)
    return {
      field,
      text,
      owners: claims.filter((claim) => pathText(claim.path) === field).map(({ owner }) => owner),
    }
  })
  const conflicting = new Set(conflicts.map(({ field }) => field))
  return {
    fields,
    rest: effectsOf(live, after, { name: manager, operation: 'Apply' }).filter(
      ({ field }) => !conflicting.has(field),
    ),
  }
}
