/** Scales of custom resources may have no selector, or an invalid one. */
import type { Pod } from 'kubernetes-types/core/v1'
import { type LabelSelector, matchesLabels, parseLabelSelector } from '../../selectors/labels'
import type { Stored } from '../runtime/stored'
import { splitKey } from '../runtime/stored'

export interface SelectorProblem {
  reason: string
  condition: string
  error: string
  message: string
}

/** Errors follow Kubernetes 1.31, pkg/controller/podautoscaler. */
export function readSelector(selector: string): SelectorProblem | { requirements: LabelSelector } {
  const condition = 'InvalidSelector'
  if (selector === '')
    return {
      reason: 'SelectorRequired',
      condition,
      error: 'selector is required',
      message: "the HPA target's scale is missing a selector",
    }
  try {
    return { requirements: parseLabelSelector(selector) }
  } catch (failure: unknown) {
    const why = failure instanceof Error ? failure.message : ''
    const error = `couldn't convert selector into a corresponding internal selector object: ${why}`
    return { reason: condition, condition, error, message: error }
  }
}

/** Autoscalers that select the same pods do not scale. */
export class Selectors {
  private readonly known = new Map<string, LabelSelector>()

  delete(key: string): void {
    this.known.delete(key)
  }

  /** @returns an error if other autoscalers select some of the pods */
  register(
    key: string,
    { requirements, text }: { requirements: LabelSelector; text: string },
    pods: Stored<Pod>[],
  ): SelectorProblem | undefined {
    this.known.set(key, requirements)
    const { namespace } = splitKey(key)
    const selecting = [...this.known].filter(
      ([other, selector]) =>
        splitKey(other).namespace === namespace &&
        pods.some(({ metadata }) => matchesLabels(selector, metadata.labels)),
    )
    if (selecting.length < 2) return undefined
    const names = selecting.map(([other]) => other).sort()
    const error = `pods by selector ${text} are controlled by multiple HPAs: [${names.join(' ')}]`
    return { reason: 'AmbiguousSelector', condition: 'AmbiguousSelector', error, message: error }
  }
}
