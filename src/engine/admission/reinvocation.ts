/**
 * Decides which mutating webhooks and policies are called a second time. kubernetes.io,
 * "Reinvocation policy".
 */
import type { AdmissionAttributes, ReinvocationState } from './admission'

export function reinvocationStateOf(
  attributes: AdmissionAttributes,
  plugin: string,
): ReinvocationState {
  attributes.reinvocations ??= new Map()
  let state = attributes.reinvocations.get(plugin)
  if (state === undefined) {
    state = { reinvocable: new Set(), due: new Set(), left: undefined }
    attributes.reinvocations.set(plugin, state)
  }
  return state
}

export function requireReinvocations({ reinvocable, due }: ReinvocationState): void {
  for (const key of reinvocable) due.add(key)
  reinvocable.clear()
}
