/** Rules of PersistentVolumeClaims. Recorded from kube-apiserver 1.31. */

import { entryOf, type Json, type JsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import type { ReleaseTables } from '../../release-tables/tables'
import { copyExplicitEmpties } from '../../schema/explicit-empties'
import { compareQuantities, parseQuantity } from '../../schema/quantity'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { growthErrors } from '../../validation/claim-growth'
import { claimSpecErrors } from '../../validation/claim-spec'
import { forbiddenField, invalidValue } from '../../validation/field-errors'
import { typeNamed } from '../../validation/go-literal'
import { goValue } from '../../validation/go-value'
import { roundAmounts, usableErrors } from '../../validation/quantities'
import { forbiddenChange } from '../../validation/value-changes'
import { CLASS_ANNOTATION, classAnnotationWarnings } from '../../validation/volumes'
import { claimWarnings } from './amount-warnings'
import { defaultClaimSpec } from './pod-defaults'

interface Source {
  apiGroup?: string | null
  kind?: string
  name?: string
  namespace?: string
}

interface Spec {
  accessModes?: string[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  storageClassName?: string
  volumeName?: string
  volumeMode?: string
  dataSource?: Source
  dataSourceRef?: Source
  volumeAttributesClassName?: string
}

interface Status {
  phase?: string
  capacity?: Record<string, string>
  allocatedResources?: Record<string, string>
  allocatedResourceStatuses?: Record<string, string>
  currentVolumeAttributesClassName?: string
  modifyVolumeStatus?: JsonObject
}

interface Claim extends KubeObject {
  spec?: Spec
  status?: Status
}

const PENDING = 'Pending'

const specOf = (object: KubeObject) => object.spec as JsonObject | undefined

export const persistentVolumeClaimStrategy: Strategy = {
  serverOwned: ['status'],
  defaults(object) {
    const claim = object as Claim
    claim.spec ??= {}
    defaultClaimSpec(claim.spec as JsonObject)
    claim.status ??= {}
    claim.status.phase ||= PENDING
    roundAmounts(claim.status.capacity)
    roundAmounts(claim.status.allocatedResources)
  },
  prepareForCreate(object, { engine }) {
    const claim = object as Claim
    claim.status = { phase: PENDING }
    settleSources(claim.spec ?? {}, undefined, engine)
  },
  prepareForUpdate(object, old, { engine }) {
    settleSources((object as Claim).spec ?? {}, (old as Claim).spec, engine)
  },
  /** Phase Pending is a default on read: new claims are stored without. */
  filledOnReading: () => true,
  validate: (object, _, old) => claimSpecErrors(specOf(object) ?? {}, 'spec', old && specOf(old)),
  validateUpdate: (object, old, { engine }) => changeErrors(object as Claim, old as Claim, engine),
  warningsOnCreate: (object) => warnings(object as Claim),
  warningsOnUpdate: (object) => warnings(object as Claim),
  status: {
    prepareForUpdate(object, old, { engine }) {
      object.spec = old.spec
      dropGatedStatus((object as Claim).status ?? {}, (old as Claim).status ?? {}, engine)
    },
    validateUpdate(object, old, { engine }) {
      const { status = {} } = object as Claim
      return [
        ...capacityErrors(status),
        ...(recovers(old as Claim, engine.featureGates) ? growthErrors(status) : []),
      ]
    },
  },
}

/** Unless stored. */
function dropGatedStatus(status: Status, old: Status, { featureGates }: StrategyEngine): void {
  const dropped: (keyof Status)[] = []
  if (!featureGates.RecoverVolumeExpansionFailure)
    dropped.push('allocatedResources', 'allocatedResourceStatuses')
  if (!featureGates.VolumeAttributesClass)
    dropped.push('currentVolumeAttributesClassName', 'modifyVolumeStatus')
  for (const member of dropped) if (old[member] === undefined) delete status[member]
}

/** By gate, or if the status reports a failed expansion. */
const recovers = (
  { status }: Claim,
  { RecoverVolumeExpansionFailure }: StrategyEngine['featureGates'],
): boolean =>
  RecoverVolumeExpansionFailure === true ||
  status?.allocatedResources !== undefined ||
  status?.allocatedResourceStatuses !== undefined

function capacityErrors({ capacity = {} }: Status): FieldError[] {
  return Object.keys(capacity)
    .sort()
    .flatMap((name) => usableErrors(`status.capacity[${name}]`, entryOf(capacity, name) ?? '0'))
}

/**
 * `dataSource` accepts claims and snapshots, `dataSourceRef` any object; each defaults to the
 * other.
 */
function settleSources(spec: Spec, old: Spec | undefined, { featureGates }: StrategyEngine): void {
  const { AnyVolumeDataSource, CrossNamespaceVolumeDataSource } = featureGates
  const isDropped =
    !AnyVolumeDataSource ||
    (!CrossNamespaceVolumeDataSource && Boolean(spec.dataSourceRef?.namespace))
  if (isDropped && !old?.dataSourceRef) delete spec.dataSourceRef
  if (!featureGates.VolumeAttributesClass && old?.volumeAttributesClassName === undefined)
    delete spec.volumeAttributesClassName
  // A client that sets both knows the restrictions of the old field.
  const isOldClient = !spec.dataSourceRef && !old?.dataSource && !old?.dataSourceRef
  if (isOldClient && spec.dataSource && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource
  if (!AnyVolumeDataSource) return
  const { dataSource, dataSourceRef } = spec
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource }
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace)
    spec.dataSource = { ...dataSourceRef }
}

function isClaimOrSnapshot({ kind, apiGroup }: Source): boolean {
  return (
    (kind === 'PersistentVolumeClaim' && !apiGroup) ||
    (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io')
  )
}

const sizeOf = ({ spec }: Claim) => parseQuantity(spec?.resources?.requests?.storage ?? '0')

function changeErrors(
  claim: Claim,
  old: Claim,
  { featureGates, tables }: StrategyEngine,
): FieldError[] {
  const errors: FieldError[] = []
  const wasAnnotated = old.metadata.annotations?.[CLASS_ANNOTATION]
  const isAnnotated = claim.metadata.annotations?.[CLASS_ANNOTATION]
  const movesToField =
    wasAnnotated !== undefined &&
    claim.spec?.storageClassName === wasAnnotated &&
    old.spec?.storageClassName === undefined &&
    (isAnnotated ?? wasAnnotated) === wasAnnotated
  if ((wasAnnotated ?? '') !== (isAnnotated ?? '') && !movesToField)
    errors.push(
      invalidValue(
        `metadata.annotations.${CLASS_ANNOTATION}`,
        isAnnotated ?? '',
        'field is immutable',
      ),
    )
  const [before, now] = comparedSpecs(claim, old)
  if (!semanticallyEqual(typeNamed('PersistentVolumeClaimSpec', tables), now, before))
    errors.push(specChanged(before, now, tables))
  if (compareQuantities(sizeOf(claim), sizeOf(old)) < 0) {
    const field = 'spec.resources.requests.storage'
    // Before it has grown, a claim may shrink, but not below its capacity.
    if (!recovers(old, featureGates))
      errors.push(forbiddenField(field, 'field can not be less than previous value'))
    else if (
      compareQuantities(sizeOf(claim), parseQuantity(old.status?.capacity?.storage ?? '0')) <= 0
    )
      errors.push(forbiddenField(field, 'field can not be less than status.capacity'))
  }
  if (claim.spec?.volumeMode !== old.spec?.volumeMode)
    errors.push(invalidValue('volumeMode', claim.spec?.volumeMode, 'field is immutable'))
  return [
    ...errors,
    ...attributesChangeErrors(
      claim.spec?.volumeAttributesClassName,
      old.spec?.volumeAttributesClassName,
      featureGates,
    ),
  ]
}

/** May be replaced, not removed. */
function attributesChangeErrors(
  now: string | undefined,
  before: string | undefined,
  { VolumeAttributesClass }: StrategyEngine['featureGates'],
): FieldError[] {
  if (now === before) return []
  const forbidden = (why: string) => forbiddenField('spec.volumeAttributesClassName', why)
  const errors = VolumeAttributesClass
    ? []
    : [forbidden('update is forbidden when the VolumeAttributesClass feature gate is disabled')]
  if (before === undefined || now) return errors
  return [
    ...errors,
    forbidden(
      `update from non-nil value to ${now === undefined ? 'nil' : 'an empty string'} is forbidden`,
    ),
  ]
}

/** Resets changeable members. Prints the volume as it is now, others as they were. */
function comparedSpecs(
  { spec, status }: Claim,
  { metadata, spec: old }: Claim,
): [before: Spec, now: Spec] {
  const [before, now]: [Spec, Spec] = [{ ...old }, { ...spec }]
  if (spec) copyExplicitEmpties(spec, now)
  if (!before.volumeName && now.volumeName) before.volumeName = now.volumeName
  const annotated = metadata.annotations?.[CLASS_ANNOTATION]
  const takesClass = before.storageClassName === undefined && now.storageClassName !== undefined
  if (takesClass && (annotated === undefined || annotated === now.storageClassName))
    delete now.storageClassName
  if (status?.phase !== 'Bound') return [before, now]
  const size = before.resources?.requests?.storage
  if (size !== undefined && now.resources?.requests?.storage !== undefined)
    now.resources = { ...now.resources, requests: { ...now.resources.requests, storage: size } }
  if (now.volumeAttributesClassName !== undefined) resetTo(now, before, 'volumeAttributesClassName')
  return [before, now]
}

function resetTo<Name extends keyof Spec>(now: Spec, before: Spec, name: Name): void {
  if (before[name] === undefined) delete now[name]
  else now[name] = before[name]
}

function specChanged(before: Spec, now: Spec, tables: ReleaseTables): FieldError {
  const type = typeNamed('PersistentVolumeClaimSpec', tables)
  return forbiddenChange(
    tables.changes,
    'spec',
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    goValue(type, before as Json),
    goValue(type, now as Json),
  )
}

function warnings({ metadata, spec }: Claim): string[] {
  return [...classAnnotationWarnings(metadata.annotations), ...claimWarnings(spec, 'spec')]
}
