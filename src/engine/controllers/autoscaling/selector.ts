/** The selector in a target's scale, by which the autoscaler finds pods: custom resources may give none, or one that cannot be read. */
import { parseLabelSelector } from '../../selectors/labels'

export interface SelectorProblem {
  /** Of the event. */
  reason: string
  error: string
  /** Of the condition. */
  message: string
}

/** @returns why the selector is of no use (texts of the release's public sources); undefined: it is one */
export function selectorProblem(selector: string): SelectorProblem | undefined {
  if (selector === '')
    return { reason: 'SelectorRequired', error: 'selector is required', message: "the HPA target's scale is missing a selector" }
  try {
    parseLabelSelector(selector)
    return undefined
  } catch (failure: unknown) {
    const why = failure instanceof Error ? failure.message : ''
    const error = `couldn't convert selector into a corresponding internal selector object: ${why}`
    return { reason: 'InvalidSelector', error, message: error }
  }
}
