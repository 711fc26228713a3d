import { podOf, type Toleration } from '../validation/pods'
import type { AdmissionPlugin } from './admission'
import type { AdmissionEnvironment, TolerationSeconds } from './environment'

const NOT_READY = 'node.kubernetes.io/not-ready'
const UNREACHABLE = 'node.kubernetes.io/unreachable'
const TAINTS = [NOT_READY, UNREACHABLE]

/** The defaults of the server flags. */
export const DEFAULT_TOLERATION_SECONDS: TolerationSeconds = { notReady: 300, unreachable: 300 }

export function defaultTolerationSeconds({
  tolerationSeconds: { notReady, unreachable },
}: AdmissionEnvironment): AdmissionPlugin {
  const seconds = (taint: string) => (taint === NOT_READY ? notReady : unreachable)
  return {
    name: 'DefaultTolerationSeconds',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    mutate({ object }) {
      const { spec } = podOf(object)
      const present = spec.tolerations ?? []
      const missing = TAINTS.filter(
        (taint) => !present.some((toleration) => concerns(toleration, taint)),
      )
      if (missing.length === 0) return
      spec.tolerations = [
        ...present,
        ...missing.map((key) => ({
          key,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: seconds(key),
        })),
      ]
    },
  }
}

/** An empty key means every taint, an empty effect every effect. */
function concerns({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute')
}
