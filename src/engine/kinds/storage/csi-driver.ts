/** Rules of CSIDrivers. Recorded from kube-apiserver 1.31. */

import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import { duplicate, invalidValue, notSupported } from '../../validation/field-errors'
import { invalidTypedList } from '../../validation/go-literal'

interface TokenRequest {
  audience?: string
  expirationSeconds?: number
}

interface Spec {
  attachRequired?: boolean
  podInfoOnMount?: boolean
  volumeLifecycleModes?: string[]
  storageCapacity?: boolean
  fsGroupPolicy?: string
  tokenRequests?: TokenRequest[]
  requiresRepublish?: boolean
  seLinuxMount?: boolean
  preventPodSchedulingIfMissing?: boolean
  serviceAccountTokenInSecrets?: boolean
  nodeAllocatableUpdatePeriodSeconds?: number
}

const DEFAULTS: Spec = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
}

/** A change increments the generation, which starts at zero. */
const CHANGEABLE: readonly (keyof Spec)[] = [
  ...([
    'tokenRequests',
    'requiresRepublish',
    'seLinuxMount',
    'storageCapacity',
    'podInfoOnMount',
    'fsGroupPolicy',
    'preventPodSchedulingIfMissing',
  ] as const),
]

const specOf = (object: KubeObject): Spec => (object.spec ?? {}) as Spec

export const csiDriverStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  behindGates: (gates) => ({
    defaults: (object) =>
      fill(object, {
        ...DEFAULTS,
        ...(gates.SELinuxMountReadWriteOncePod && { seLinuxMount: false }),
        ...(gates.VolumeLimitScaling && { preventPodSchedulingIfMissing: false }),
      }),
  }),
  prepareForCreate: (object, { engine }) => dropGated(engine, specOf(object)),
  prepareForUpdate(object, old, { engine }) {
    const [spec, before] = [specOf(object), specOf(old)]
    dropGated(engine, spec, before)
    const changed = CHANGEABLE.some(
      (member) => !equalJson(spec[member] ?? [], before[member] ?? []),
    )
    if (changed) object.metadata.generation = (old.metadata.generation ?? 0) + 1
  },
  validate: (object) => specErrors(specOf(object)),
  warningsOnCreate: (object, { engine }) => tokenWarnings(specOf(object), engine),
  warningsOnUpdate: (object, _, { engine }) => tokenWarnings(specOf(object), engine),
  validateUpdate(object, old) {
    const [spec, before] = [specOf(object), specOf(old)]
    const why = 'field is immutable'
    const errors: FieldError[] = []
    // The message has another field name.
    if (spec.attachRequired !== before.attachRequired)
      errors.push(invalidValue('spec.attachedRequired', spec.attachRequired, why))
    if (!equalJson(spec.volumeLifecycleModes, before.volumeLifecycleModes))
      errors.push(
        invalidTypedList(
          'spec.volumeLifecycleModes',
          'storage.VolumeLifecycleMode',
          spec.volumeLifecycleModes,
          why,
        ),
      )
    return errors
  },
}

function fill(object: KubeObject, defaults: Spec): void {
  const spec: Spec = { ...defaults, ...withoutNulls(specOf(object)) }
  if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent']
  object.spec = spec
}

const TOKENS_ADVICE =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes'

function tokenWarnings(spec: Spec, { tables, featureGates }: StrategyEngine): string[] {
  const advises =
    featureGates.CSIServiceAccountTokenSecrets === true &&
    tables.changes.has('TokensInSecretsAdvised')
  return advises && spec.tokenRequests?.length && spec.serviceAccountTokenInSecrets === undefined
    ? [TOKENS_ADVICE]
    : []
}

/** Unless stored. */
function dropGated({ featureGates }: StrategyEngine, spec: Spec, old?: Spec): void {
  if (!featureGates.VolumeLimitScaling && old?.preventPodSchedulingIfMissing === undefined)
    delete spec.preventPodSchedulingIfMissing
  if (
    !featureGates.MutableCSINodeAllocatableCount &&
    old?.nodeAllocatableUpdatePeriodSeconds === undefined
  )
    delete spec.nodeAllocatableUpdatePeriodSeconds
  if (
    !featureGates.CSIServiceAccountTokenSecrets &&
    old?.serviceAccountTokenInSecrets === undefined
  )
    delete spec.serviceAccountTokenInSecrets
  if (!featureGates.SELinuxMountReadWriteOncePod && old?.seLinuxMount === undefined)
    delete spec.seLinuxMount
}

const withoutNulls = (spec: Spec): Spec =>
  Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null))

const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType']
const MODES = ['Persistent', 'Ephemeral']
const LEAST_PERIOD = 10

function specErrors({
  fsGroupPolicy = '',
  tokenRequests = [],
  volumeLifecycleModes = [],
  nodeAllocatableUpdatePeriodSeconds: period,
  serviceAccountTokenInSecrets: inSecrets,
}: Spec): FieldError[] {
  return [
    ...(GROUP_POLICIES.includes(fsGroupPolicy)
      ? []
      : [notSupported('spec.fsGroupPolicy', fsGroupPolicy, GROUP_POLICIES)]),
    ...tokenErrors('spec.tokenRequests', tokenRequests),
    ...volumeLifecycleModes
      .filter((mode) => !MODES.includes(mode))
      .map((mode) => notSupported('spec.volumeLifecycleModes', mode, MODES)),
    ...(period !== undefined && period < LEAST_PERIOD
      ? [
          invalidValue(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            `must be greater than or equal to ${LEAST_PERIOD} seconds`,
          ),
        ]
      : []),
    ...(inSecrets !== undefined && tokenRequests.length === 0
      ? [
          invalidValue(
            'spec.serviceAccountTokenInSecrets',
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ]
}

const SHORTEST = 600
const LONGEST = 2 ** 32

function tokenErrors(path: string, requests: TokenRequest[]): FieldError[] {
  const seen = new Set<string>()
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, i) => {
    if (seen.has(audience)) return [duplicate(`${path}[${i}].audience`, audience)]
    seen.add(audience)
    const invalid = (why: string) => [invalidValue(`${path}[${i}].expirationSeconds`, seconds, why)]
    if (typeof seconds !== 'number') return []
    if (seconds < SHORTEST) return invalid('may not specify a duration less than 10 minutes')
    return seconds > LONGEST ? invalid('may not specify a duration larger than 2^32 seconds') : []
  })
}
