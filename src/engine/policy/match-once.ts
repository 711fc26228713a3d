import type { AdmissionAttributes } from '../admission/admission'
import type { PolicyEnvironment, ServedForm } from './environment'
import type { MatchEnvironment } from './match'

/** Memoizes for one request. */
export function onceFor(
  attributes: AdmissionAttributes,
  environment: PolicyEnvironment,
): MatchEnvironment<ServedForm> {
  let requested: ServedForm | undefined
  let equivalents: readonly ServedForm[] | undefined
  return {
    requested() {
      requested ??= environment.requested(attributes)
      return requested
    },
    equivalents() {
      equivalents ??= environment.equivalents(attributes)
      return equivalents
    },
    namespaceLabels: environment.namespaceLabels,
  }
}
