/** Persistent volume claims: two names for what they are filled from, and a spec that hardly changes (texts recorded). */
import type { Engine } from '../../engine'
import type { FieldError } from '../../http/status'
import { equalJson, type Json, type JsonObject, type KubeObject } from '../../object'
import { compareQuantities, parseQuantity, quantityUnits, ZERO_QUANTITY } from '../../schema/quantity'
import { forbiddenField, invalidValue, required } from '../field-errors'
import { claimSpecErrors } from '../rules/claim-spec'
import { goDiff } from '../rules/go-diff'
import { typeNamed } from '../rules/go-literal'
import { goValue } from '../rules/go-value'
import { CLASS_ANNOTATION, classAnnotationWarnings } from '../rules/volumes'
import type { Strategy } from '../strategy'

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

interface Claim extends KubeObject {
  spec?: Spec
  status?: { phase?: string }
}

export const persistentVolumeClaimStrategy: Strategy = {
  serverOwned: ['status'],
  defaults(object) {
    const claim = object as Claim
    claim.spec ??= {}
    claim.spec.volumeMode ??= 'Filesystem'
    claim.status = { ...claim.status, phase: claim.status?.phase || 'Pending' }
  },
  prepareForCreate(object, { engine }) {
    const claim = object as Claim
    claim.status = { phase: 'Pending' }
    settleSources(claim.spec ?? {}, undefined, engine)
  },
  prepareForUpdate(object, old, { engine }) {
    settleSources((object as Claim).spec ?? {}, (old as Claim).spec, engine)
  },
  validate: (object) => specErrors((object as Claim).spec ?? {}),
  validateUpdate: (object, old) => changeErrors(object as Claim, old as Claim),
  warningsOnCreate: (object) => warnings(object as Claim),
  warningsOnUpdate: (object) => warnings(object as Claim),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
  },
}

/**
 * `dataSource` came first and takes claims and snapshots only; `dataSourceRef` takes anything. Each stands in for the other; what
 * needs a feature that is off is dropped, unless the stored claim has it.
 */
function settleSources(spec: Spec, old: Spec | undefined, { featureGates }: Engine): void {
  if (spec.dataSourceRef?.namespace && !old?.dataSourceRef?.namespace) delete spec.dataSourceRef
  if (!featureGates.VolumeAttributesClass && old?.volumeAttributesClassName === undefined) delete spec.volumeAttributesClassName
  if (!old?.dataSource && spec.dataSource && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource
  const { dataSource, dataSourceRef } = spec
  if (dataSource && !dataSourceRef) spec.dataSourceRef = { ...dataSource }
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) spec.dataSource = { ...dataSourceRef }
}

function isClaimOrSnapshot({ kind, apiGroup }: Source): boolean {
  return (kind === 'PersistentVolumeClaim' && !apiGroup) || (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io')
}

function specErrors(spec: Spec): FieldError[] {
  const errors = claimSpecErrors(spec as JsonObject, 'spec')
  const { dataSource, dataSourceRef } = spec
  if (dataSource) errors.push(...sourceErrors('spec.dataSource', dataSource))
  if (dataSourceRef) errors.push(...sourceErrors('spec.dataSourceRef', dataSourceRef))
  if (dataSource && dataSourceRef?.namespace) errors.push(sourceConflict('may not be specified when dataSourceRef.namespace is specified'))
  else if (dataSource && dataSourceRef && !sameSource(dataSource, dataSourceRef)) errors.push(sourceConflict('must match dataSourceRef'))
  return errors
}

const sameSource = (a: Source, b: Source): boolean => (a.apiGroup ?? '') === (b.apiGroup ?? '') && a.kind === b.kind && a.name === b.name

function sourceErrors(path: string, { kind, name, apiGroup }: Source): FieldError[] {
  const errors: FieldError[] = []
  if (!name) errors.push(required(`${path}.name`))
  if (!kind) errors.push(required(`${path}.kind`))
  if (!apiGroup && kind !== 'PersistentVolumeClaim')
    errors.push(invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
  return errors
}

/** The real server shows the path of the field in place of its value; the address in it means nothing. */
function sourceConflict(why: string): FieldError {
  const path = 'field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}'
  return { field: 'spec', reason: 'FieldValueInvalid', detail: `Invalid value: ${path}: ${why}` }
}

const sizeOf = ({ spec }: Claim) => parseQuantity(spec?.resources?.requests?.storage ?? '0')

function changeErrors(claim: Claim, old: Claim): FieldError[] {
  const errors: FieldError[] = []
  const wasAnnotated = old.metadata.annotations?.[CLASS_ANNOTATION]
  const isAnnotated = claim.metadata.annotations?.[CLASS_ANNOTATION]
  const movesToField =
    wasAnnotated !== undefined && claim.spec?.storageClassName === wasAnnotated && old.spec?.storageClassName === undefined
  if (wasAnnotated !== isAnnotated && !movesToField) {
    errors.push(invalidValue(`metadata.annotations[${CLASS_ANNOTATION}]`, isAnnotated ?? '', 'field is immutable'))
  }
  const [before, now] = comparedSpecs(claim, old, movesToField)
  if (!equalJson(now, before)) errors.push(specChanged(before, now))
  if (compareQuantities(sizeOf(claim), sizeOf(old)) < 0) {
    errors.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than previous value'))
  }
  if (claim.spec?.volumeMode !== old.spec?.volumeMode) errors.push(invalidValue('volumeMode', claim.spec?.volumeMode, 'field is immutable'))
  return errors
}

/**
 * The stored spec and the new one without what may be changed: a volume and a class once, the size and the attributes of what is
 * bound. A volume is shown as it is now, all else as it was (recorded).
 */
function comparedSpecs({ spec, status }: Claim, old: Claim, movesToField: boolean): [before: Spec, now: Spec] {
  const [before, now]: [Spec, Spec] = [{ ...old.spec }, { ...spec }]
  if (!before.volumeName && now.volumeName) before.volumeName = now.volumeName
  if ((before.storageClassName === undefined || movesToField) && now.storageClassName) resetTo(now, before, 'storageClassName')
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

function specChanged(before: Spec, now: Spec): FieldError {
  const type = typeNamed('PersistentVolumeClaimSpec')
  const difference = goDiff(goValue(type, before as Json), goValue(type, now as Json))
  return forbiddenField(
    'spec',
    `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${difference}`,
  )
}

function warnings({ metadata, spec }: Claim): string[] {
  const found = classAnnotationWarnings(metadata.annotations)
  const storage = spec?.resources?.requests?.storage
  if (
    storage !== undefined &&
    compareQuantities(parseQuantity(storage), ZERO_QUANTITY) > 0 &&
    quantityUnits(parseQuantity(storage), 3) % 1000n !== 0n
  ) {
    found.push(`spec.resources.requests[storage]: fractional byte value ${JSON.stringify(storage)} is invalid, must be an integer`)
  }
  return found
}
