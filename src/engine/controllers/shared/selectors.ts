/** Label selectors of typed objects. */
import type { LabelSelector as LabelSelectorObject } from 'kubernetes-types/meta/v1'
import { type LabelSelector, selectorOf } from '../../selectors/labels'

/**
 * Returns undefined for an absent selector, which selects nothing, and `[]` for an empty one, which
 * selects everything.
 */
export function requirementsOf(
  selector: LabelSelectorObject | undefined,
): LabelSelector | undefined {
  return selectorOf(selector as Parameters<typeof selectorOf>[0])
}
