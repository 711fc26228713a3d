/** A claim may grow only if its storage class allows expansion. */
import type { KubeObject } from '../core/object'
import { compareQuantities, parseQuantity, ZERO_QUANTITY } from '../schema/quantity'
import type { AdmissionPlugin } from './admission'
import { type Claim, classOfClaim } from './claims'
import { type AdmissionEnvironment, readObject } from './environment'
import { newForbidden } from './errors'

interface StorageClass extends KubeObject {
  allowVolumeExpansion?: boolean
}

export function persistentVolumeClaimResize(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    operations: ['UPDATE'],
    resources: ['persistentvolumeclaims'],
    async validate(attributes) {
      const claim = attributes.object as Claim
      const old = attributes.oldObject as Claim
      if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return
      if (old.status?.phase !== 'Bound')
        throw newForbidden(attributes, 'Only bound persistent volume claims can be expanded')
      const name = classOfClaim(claim)
      const found =
        name === '' || name !== classOfClaim(old)
          ? undefined
          : await readObject<StorageClass>(environment, `/registry/storageclasses/${name}`)
      if (found?.allowVolumeExpansion) return
      throw newForbidden(
        attributes,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      )
    },
  }
}

function sizeOf({ spec }: Claim) {
  const size = spec?.resources?.requests?.storage
  return size === undefined ? ZERO_QUANTITY : parseQuantity(String(size))
}
