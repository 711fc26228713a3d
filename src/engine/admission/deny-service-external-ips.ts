/** Rejects external IPs that the service does not already have. */
import type { KubeObject } from '../core/object'
import type { AdmissionPlugin } from './admission'
import { newForbidden } from './errors'

interface Service extends KubeObject {
  spec?: { externalIPs?: string[] }
}

export function denyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    operations: ['CREATE', 'UPDATE'],
    resources: ['services'],
    validate(attributes) {
      const before = new Set((attributes.oldObject as Service | undefined)?.spec?.externalIPs)
      const added = ((attributes.object as Service).spec?.externalIPs ?? []).some(
        (address) => !before.has(address),
      )
      if (added)
        throw newForbidden(attributes, 'Use of external IPs is denied by admission control')
    },
  }
}
