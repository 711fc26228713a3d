import type { LabelSelector as LabelSelectorObject } from 'kubernetes-types/meta/v1'
import { type LabelSelector, selectorOf } from '../../selectors/labels'

/** @returns undefined (selects nothing) if absent, `[]` (selects everything) if empty */
export function requirementsOf(
  selector: LabelSelectorObject | undefined,
): LabelSelector | undefined {
  return selectorOf(selector as Parameters<typeof selectorOf>[0])
}
