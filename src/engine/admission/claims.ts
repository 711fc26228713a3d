import type { KubeObject } from '../core/object'
import type { ResourceAmounts } from '../validation/pods'

export interface Claim extends KubeObject {
  spec?: { storageClassName?: string; resources?: { requests?: ResourceAmounts } }
  status?: { phase?: string; allocatedResources?: ResourceAmounts }
}

/** The older annotation takes precedence. Empty means no class. */
export function classOfClaim({ metadata, spec }: Claim): string {
  return (
    metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ??
    spec?.storageClassName ??
    ''
  )
}
