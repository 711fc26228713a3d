/** Paths that an endpoint does not write whatever the request says, so that nobody comes to own them through it (recorded). */
import { entryOf } from '../object'
import { EMPTY, type FieldSet, setOf, union } from './field-set'

const SPEC = setOf(['f:spec'])
const STATUS = setOf(['f:status'])
const SPEC_AND_STATUS = union(SPEC, STATUS)
const metadata = (name: string): FieldSet => setOf(['f:metadata', `f:${name}`])

/** What a certificate is asked for stands once it is asked. Who approves it issues nothing, and who issues it approves nothing. */
const SIGNING_REQUEST = 'certificates.k8s.io/CertificateSigningRequest'

/** Says of no endpoint what it leaves alone. */
const SERVICE_RANGE = 'networking.k8s.io/ServiceCIDR'

/** What the status endpoint of a kind leaves alone, where that is more than `spec`. */
const STATUS_ENDPOINT: Record<string, FieldSet> = {
  [SIGNING_REQUEST]: union(SPEC, setOf(['f:status', 'f:conditions'])),
  'apps/Deployment': union(SPEC, metadata('labels')),
  '/Pod': union(SPEC, union(metadata('deletionTimestamp'), metadata('ownerReferences'))),
}

const SPEC_AND_METADATA = union(SPEC, setOf(['f:metadata']))
/** Kinds whose status endpoint says so of the whole of metadata. A few more leave it as it is, but have it owned all the same. */
const STATUS_ALONE = new Set([
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'flowcontrol.apiserver.k8s.io/FlowSchema',
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
  'storage.k8s.io/VolumeAttachment',
  'storagemigration.k8s.io/StorageVersionMigration',
])

const APPROVAL = union(SPEC, setOf(['f:status', 'f:certificate']))

/**
 * @param subresource empty for the main resource
 * @param hasStatus the kind has a status endpoint, which alone writes `status`
 */
export function resetFieldsOf(
  group: string,
  kind: string,
  subresource: string,
  hasStatus: boolean,
): FieldSet {
  const qualified = `${group}/${kind}`
  switch (subresource) {
    case '':
      if (qualified === SERVICE_RANGE) return EMPTY
      if (qualified === SIGNING_REQUEST) return SPEC_AND_STATUS
      return hasStatus ? STATUS : EMPTY
    case 'finalize':
    // Conflicts are those of the whole pod, though nobody comes to own anything of it.
    case 'ephemeralcontainers':
      return STATUS
    case 'status':
      if (qualified === SERVICE_RANGE) return EMPTY
      return (
        entryOf(STATUS_ENDPOINT, qualified) ??
        (STATUS_ALONE.has(qualified) ? SPEC_AND_METADATA : SPEC)
      )
    case 'approval':
      return APPROVAL
    default:
      return EMPTY
  }
}
