/** Conditions of CustomResourceDefinitions and APIServices can be ahead of discovery. */
import { parseApiVersion } from '../../engine/core/object'
import type { ServedResource } from './discovery'
import * as texts from './texts'

interface Condition {
  type: string
  status: string
  message?: string
}

export interface Definition {
  metadata: { name: string; deletionTimestamp?: string }
  spec: { group: string; names: { kind: string }; versions: { name: string; served: boolean }[] }
  status?: { conditions?: Condition[] }
}

export interface ServiceVersion {
  metadata: { name: string }
  spec: { group?: string; version?: string; service?: unknown }
  status?: { conditions?: Condition[] }
}

/** Whether discovery lists everything that the conditions announce. */
export function isComplete(
  resources: readonly ServedResource[],
  definitions: readonly Definition[],
  services: readonly ServiceVersion[],
): boolean {
  const kinds = new Set(resources.map(({ group, version, kind }) => `${group}/${version}/${kind}`))
  const versions = new Set(resources.map(({ group, version }) => `${group}/${version}`))
  return (
    definitions.every(
      (definition) =>
        !isEstablished(definition) ||
        definition.spec.versions.every(
          ({ name, served }) =>
            !served || kinds.has(`${definition.spec.group}/${name}/${definition.spec.names.kind}`),
        ),
    ) &&
    services.every(
      ({ spec: { group = '', version = '', service }, status }) =>
        service === undefined ||
        service === null ||
        !holds(status, 'Available') ||
        versions.has(`${group}/${version}`),
    )
  )
}

export function defines(
  { spec }: Pick<Definition, 'spec'>,
  apiVersion: string,
  kind: string,
): boolean {
  const { group, version } = parseApiVersion(apiVersion)
  return (
    spec.group === group &&
    spec.names.kind === kind &&
    spec.versions.some(({ name, served }) => name === version && served)
  )
}

/** For versions that another server serves. */
export function announces(
  { spec: { group = '', version = '', service } }: Pick<ServiceVersion, 'spec'>,
  apiVersion: string,
): boolean {
  return service !== undefined && service !== null && `${group}/${version}` === apiVersion
}

export function unavailabilityOf({ status }: Pick<ServiceVersion, 'status'>): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available')
  if (condition === undefined) return texts.notChecked
  if (condition.status === 'True') return texts.notListed
  return texts.conditionIs('Available', condition.status, condition.message)
}

/** Why the definition will not be established without a change. */
export function rejectionOf({
  metadata,
  status,
}: Pick<Definition, 'metadata' | 'status'>): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return texts.beingDeleted
  const failed = status?.conditions?.find((condition) =>
    FAILURES.some(([type, value]) => condition.type === type && condition.status === value),
  )
  return failed && texts.conditionIs(failed.type, failed.status, failed.message)
}

const FAILURES = [
  ['NamesAccepted', 'False'],
  ['KubernetesAPIApprovalPolicyConformant', 'False'],
] as const

const isEstablished = ({ metadata, status }: Definition): boolean =>
  metadata.deletionTimestamp === undefined && holds(status, 'Established')

const holds = (status: { conditions?: Condition[] } | undefined, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ??
  false
