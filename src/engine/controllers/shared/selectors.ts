/** Label selectors as the kinds' own types have them. */
import type { LabelSelector as LabelSelectorObject } from 'kubernetes-types/meta/v1'
import { type LabelSelector, selectorOf } from '../../selectors/labels'

/** Absent selects nothing: undefined; empty selects everything: `[]`. */
export function requirementsOf(
  selector: LabelSelectorObject | undefined,
): LabelSelector | undefined {
  return selectorOf(selector as Parameters<typeof selectorOf>[0])
}
