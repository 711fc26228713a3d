import type { Scale } from 'kubernetes-types/autoscaling/v1'
import type { Lease } from 'kubernetes-types/coordination/v1'
import type { RuntimeClass } from 'kubernetes-types/node/v1'
import type { PriorityClass } from 'kubernetes-types/scheduling/v1'
import { API_DOMAIN } from '../../core/names'
import { BEGINNING, type Cells, firstOf, type ResourceTables, table, UNSET } from './resource-table'

const COORDINATION = `coordination.${API_DOMAIN}`
const RESOURCE = `resource.${API_DOMAIN}`

interface ApiService {
  spec?: { service?: { namespace?: string; name?: string } | null }
  status?: { conditions?: { type: string; status: string; reason?: string }[] }
}

function availability({ status }: ApiService): string {
  const available = status?.conditions?.find(({ type }) => type === 'Available')
  if (available === undefined) return 'Unknown'
  return available.status === 'True' ? 'True' : `${available.status} (${available.reason ?? ''})`
}

interface LeaseCandidate {
  spec?: { leaseName?: string; binaryVersion?: string; emulationVersion?: string }
}

interface ResourceClaim {
  metadata?: { deletionTimestamp?: string }
  status?: { allocation?: object; reservedFor?: object[]; deallocationRequested?: boolean }
}

function claimState({ metadata, status }: ResourceClaim): string {
  const isDeleted = Boolean(metadata?.deletionTimestamp)
  const states = isDeleted ? ['deleted'] : []
  if (!status?.allocation) return isDeleted ? 'deleted' : 'pending'
  states.push('allocated')
  if (status.reservedFor?.length) states.push('reserved')
  else if (isDeleted || status.deallocationRequested) states.push('deallocating')
  return states.join(',')
}

interface StorageVersion {
  status?: {
    commonEncodingVersion?: string
    storageVersions?: { apiServerID?: string; encodingVersion?: string }[]
  }
}

interface StorageVersionMigration {
  spec?: { resource?: { group?: string; version?: string; resource?: string } }
  status?: { conditions?: { type?: string; status?: string }[] }
}

const OUTCOMES = ['Succeeded', 'Failed', 'Running']

/** Since 1.35 resources have no version, and the outcome is printed. */
function migrationCells({ spec, status }: StorageVersionMigration) {
  const { resource = '', version, group = '' } = spec?.resource ?? {}
  const holds = (outcome: string) =>
    status?.conditions?.some((one) => one.type === outcome && one.status === 'True')
  const parts = version === undefined && group === '' ? [resource] : [resource, version, group]
  return {
    Resource: parts.filter((part) => part !== undefined).join('.'),
    Status: OUTCOMES.find(holds) ?? '',
  }
}

function storageVersions({ status }: StorageVersion): string {
  const versions = status?.storageVersions?.map(
    ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
  )
  return firstOf(versions ?? [], 3) || UNSET
}

interface Definition {
  metadata: { creationTimestamp?: string }
  spec?: {
    group?: string
    scope?: string
    names?: { kind?: string; shortNames?: string[] | null }
    versions?: { name?: string; served?: boolean; storage?: boolean }[] | null
  }
  status?: { conditions?: { type: string; status: string }[] | null }
}

function definitionCells({ metadata, spec, status }: Definition): Cells {
  const versions = (spec?.versions ?? [])
    .filter(({ served }) => served)
    .map(({ name = '', storage }) => (storage ? `${name}(storage)` : name))
  const established = status?.conditions?.find(({ type }) => type === 'Established')
  return {
    Scope: spec?.scope ?? '',
    Versions: versions.sort().join(','),
    'Created At': metadata.creationTimestamp ?? BEGINNING,
    Group: spec?.group ?? '',
    Kind: spec?.names?.kind ?? '',
    ShortNames: spec?.names?.shortNames?.join(',') ?? '',
    Established: established?.status === 'True',
  }
}

interface DeviceTaintRule {
  spec?: { taint?: { key?: string; value?: string; effect?: string; timeAdded?: string } }
}

export const clusterTables: ResourceTables = {
  [`apiservices.apiregistration.${API_DOMAIN}`]: table<ApiService>((apiService) => {
    const service = apiService.spec?.service
    return {
      Service: service ? `${service.namespace}/${service.name}` : 'Local',
      Available: availability(apiService),
    }
  }),
  [`leases.${COORDINATION}`]: table<Lease>(({ spec }) => ({ Holder: spec?.holderIdentity ?? '' })),
  [`leasecandidates.${COORDINATION}`]: table<LeaseCandidate>(({ spec }) => ({
    LeaseName: spec?.leaseName ?? '',
    BinaryVersion: spec?.binaryVersion ?? '',
    EmulationVersion: spec?.emulationVersion ?? '',
  })),
  [`priorityclasses.scheduling.${API_DOMAIN}`]: table<PriorityClass>(
    ({ value, globalDefault, preemptionPolicy }) => ({
      Value: value ?? 0,
      'Global-Default': globalDefault ?? false,
      PreemptionPolicy: preemptionPolicy ?? '',
    }),
  ),
  [`runtimeclasses.node.${API_DOMAIN}`]: table<RuntimeClass>(({ handler }) => ({
    Handler: handler ?? '',
  })),
  [`storageversions.internal.apiserver.${API_DOMAIN}`]: table<StorageVersion>((version) => ({
    CommonEncodingVersion: version.status?.commonEncodingVersion ?? UNSET,
    StorageVersions: storageVersions(version),
  })),
  [`storageversionmigrations.storagemigration.${API_DOMAIN}`]: table(migrationCells),
  [`customresourcedefinitions.apiextensions.${API_DOMAIN}`]: table<Definition>(definitionCells, {
    nullIfEmpty: true,
  }),
  [`devicetaintrules.${RESOURCE}`]: table<DeviceTaintRule>(({ spec }) => ({
    Key: spec?.taint?.key ?? '',
    Value: spec?.taint?.value ?? '',
    Effect: spec?.taint?.effect ?? '',
    TimeAdded: spec?.taint?.timeAdded ?? '',
  })),
  [`resourceclaims.${RESOURCE}`]: table<ResourceClaim>((claim) => ({ State: claimState(claim) })),
  [`resourceclaimtemplates.${RESOURCE}`]: table(() => ({})),
  [`deviceclasses.${RESOURCE}`]: table(() => ({})),
  [`podschedulingcontexts.${RESOURCE}`]: table<{ spec?: { selectedNode?: string } }>(
    ({ spec }) => ({
      SelectedNode: spec?.selectedNode ?? '',
    }),
  ),
  [`resourceslices.${RESOURCE}`]: table<{
    spec?: { nodeName?: string; driver?: string; pool?: { name?: string } }
  }>(({ spec }) => ({
    Node: spec?.nodeName ?? '',
    Driver: spec?.driver ?? '',
    Pool: spec?.pool?.name ?? '',
  })),
}

export const scaleTable = table<Scale>(({ spec, status }) => ({
  Desired: spec?.replicas ?? 0,
  Available: status?.replicas ?? 0,
}))

/** JSONPath does not find the omitted zero (`crd-cr-scale-sub/table`). */
export const customScaleTable = table<Scale>(({ spec, status }) => ({
  Desired: spec?.replicas || null,
  Available: status?.replicas ?? 0,
}))
