/** Paths that an endpoint ignores: `GetResetFields` in k8s.io/kubernetes, pkg/registry. */
import { entryOf } from '../core/object'
import { EMPTY, type FieldSet, setOf, union } from './field-set'

const SPEC = setOf(['f:spec'])
const STATUS = setOf(['f:status'])
const SPEC_AND_STATUS = union(SPEC, STATUS)
const metadata = (name: string): FieldSet => setOf(['f:metadata', `f:${name}`])

/** Approval and status are separate endpoints. */
const SIGNING_REQUEST = 'certificates.k8s.io/CertificateSigningRequest'

const SERVICE_RANGE = 'networking.k8s.io/ServiceCIDR'

/** In addition to `spec`. */
const STATUS_ENDPOINT: Record<string, FieldSet> = {
  [SIGNING_REQUEST]: union(SPEC, setOf(['f:status', 'f:conditions'])),
  'apps/Deployment': union(SPEC, metadata('labels')),
  '/Pod': union(SPEC, union(metadata('deletionTimestamp'), metadata('ownerReferences'))),
}

const SPEC_AND_METADATA = union(SPEC, setOf(['f:metadata']))
/** These reset all of metadata; some others keep it, but let the request own it. */
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

export interface Endpoint {
  group: string
  kind: string
  subresource: string
  hasStatus: boolean
  statusLeavesMetadata: boolean
}

export function resetFieldsOf({
  group,
  kind,
  subresource,
  hasStatus,
  statusLeavesMetadata,
}: Endpoint): FieldSet {
  const qualified = `${group}/${kind}`
  switch (subresource) {
    case '':
      if (qualified === SERVICE_RANGE) return EMPTY
      if (qualified === SIGNING_REQUEST) return SPEC_AND_STATUS
      return hasStatus ? STATUS : EMPTY
    case 'finalize':
    case 'ephemeralcontainers':
    case 'resize':
      return STATUS
    case 'status':
      if (qualified === SERVICE_RANGE) return EMPTY
      return (
        entryOf(STATUS_ENDPOINT, qualified) ??
        (statusLeavesMetadata || STATUS_ALONE.has(qualified) ? SPEC_AND_METADATA : SPEC)
      )
    case 'approval':
      return APPROVAL
    default:
      return EMPTY
  }
}
