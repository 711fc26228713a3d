/** Templates are hardly validated. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import type { Changes } from '../../release-tables/changes'
import type { ReleaseTables } from '../../release-tables/tables'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { claimSpecErrors } from '../../validation/claim-spec'
import { forbiddenField, invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidStructure, invalidStructures, typeNamed } from '../../validation/go-literal'
import { invalidSelector } from '../../validation/label-selectors'
import { dnsLabel, dnsLabelProblems } from '../../validation/names'
import {
  type Amount,
  amountErrors,
  atMostWhole,
  invalidAmount,
  notNegative,
  plainAmount,
} from '../../validation/numbers'
import { type ClaimAmounts, claimWarnings } from '../core/amount-warnings'
import { dropGatedTemplateMembers } from '../core/pod-gates'
import { type PodValidationOptions, templateOptions } from '../core/pod-validation/options'
import { podTemplateErrors, templateMetaErrors } from '../core/pod-validation/template'
import { templateWarnings } from '../core/pod-warnings'
import { defaultStatefulSet } from './defaults'
import {
  collisionErrors,
  isUsable,
  keepSpec,
  longRunningErrors,
  mismatchErrors,
  type Rollout,
  requiredSelectorErrors,
  type StatusRules,
  selects,
  spec,
  statusErrors,
  templateOnUpdate,
  type WorkloadSpec,
} from './workload-rules'

const STATUS: StatusRules = {
  counts: [
    ...['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ...['observedGeneration', 'collisionCount'],
  ],
  within: [
    ['readyReplicas', 'replicas', 'status.replicas'],
    ['currentReplicas', 'replicas', 'status.replicas'],
    ['updatedReplicas', 'replicas', 'status.replicas'],
    ['availableReplicas', 'replicas', 'status.replicas'],
    ['availableReplicas', 'readyReplicas', 'status.readyReplicas'],
  ],
}

const RETENTIONS = ['Retain', 'Delete']
/** Follows `updateStrategy` where the release lets it change. */
const HISTORY = 'revisionHistoryLimit'
const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  HISTORY,
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

export const statefulSetStrategy: Strategy = {
  nameRule: dnsLabel,
  generationFields: ['spec'],
  serverOwned: ['status'],
  behindGates: (gates) => ({ defaults: (object) => defaultStatefulSet(object, gates) }),
  prepareForCreate: (object, { engine }) => dropGatedMembers(engine, object),
  prepareForUpdate: (object, old, { engine }) => dropGatedMembers(engine, object, old),
  validate: (object, { engine }, old) =>
    specErrors(spec(object), templateOptions(engine, old), old && spec(old)),
  validateNew: (object, { engine }) => [
    ...(engine.tables.changes.has('StatefulSetServiceNameChecked')
      ? serviceNameErrors(object)
      : []),
    ...(engine.tables.changes.has('ClaimTemplatesChecked') ? claimTemplateErrors(object) : []),
  ],
  validateUpdate(object, old, { engine }) {
    const changeable = engine.tables.changes.has('StatefulSetHistoryLimitChanges')
      ? CHANGEABLE
      : CHANGEABLE.filter((name) => name !== HISTORY)
    const fixed = (whole: KubeObject) =>
      Object.fromEntries(
        Object.entries(whole.spec ?? {}).filter(([name]) => !changeable.includes(name)),
      )
    const type = typeNamed('apps.v1.StatefulSetSpec', engine.tables)
    const [now, before] = [fixed(object), fixed(old)]
    if (semanticallyEqual(type, now, before)) return []
    if (engine.tables.changes.has('StatefulSetMembersImmutable'))
      return memberChangeErrors(now, before, engine.tables)
    const names = changeable.map((name) => `'${name}'`)
    const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
    return [
      forbiddenField(
        'spec',
        `updates to statefulset spec for fields other than ${list} are forbidden`,
      ),
    ]
  },
  warningsOnCreate: (object, { engine }) => [
    ...templateWarnings(spec(object).template, 'spec.template', engine.tables.changes),
    ...ofClaims(object, ''),
    ...historyWarnings(object, engine.tables.changes),
  ],
  warningsOnUpdate: (object, old, context) => [
    ...(object.metadata.generation === old.metadata.generation
      ? []
      : templateOnUpdate(object, old, context)),
    ...ofClaims(object, '.Spec'),
    ...historyWarnings(object, context.engine.tables.changes),
  ],
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object, old) => [
      ...statusErrors(object, STATUS),
      ...collisionErrors(object, old),
    ],
  },
}

function memberChangeErrors(
  now: JsonObject,
  before: JsonObject,
  tables: ReleaseTables,
): FieldError[] {
  const type = typeNamed('apps.v1.StatefulSetSpec', tables)
  const why = 'field is immutable'
  const changed = (name: string) => {
    const member = type.type === 'struct' ? type.byName.get(name)?.type : undefined
    return !semanticallyEqual(member, now[name], before[name])
  }
  const { selector, volumeClaimTemplates } = now
  return [
    ...(changed('selector')
      ? [
          invalidStructure(
            'spec.selector',
            'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
            selector,
            why,
          ),
        ]
      : []),
    ...(changed('volumeClaimTemplates')
      ? [
          invalidStructures(
            'spec.volumeClaimTemplates',
            'PersistentVolumeClaim',
            Array.isArray(volumeClaimTemplates) ? volumeClaimTemplates.map(withoutKind) : undefined,
            why,
          ),
        ]
      : []),
    ...['serviceName', 'podManagementPolicy']
      .filter(changed)
      .map((name) => invalidValue(`spec.${name}`, now[name] ?? '', why)),
  ]
}

/** Internal templates have neither kind nor apiVersion, which responses contain. */
function withoutKind(claim: Json): Json {
  if (!isJsonObject(claim)) return claim
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = claim
  return rest
}

/** The claims of new sets, and the volumes that their pods get for them. */
function claimTemplateErrors(object: KubeObject): FieldError[] {
  const templates = (object.spec as JsonObject | undefined)?.volumeClaimTemplates
  const claims = Array.isArray(templates) ? templates.filter(isJsonObject) : []
  const nameOf = ({ metadata }: JsonObject) =>
    isJsonObject(metadata) && typeof metadata.name === 'string' ? metadata.name : ''
  return [
    ...claims.flatMap(({ spec: claim }, i) =>
      claimSpecErrors(isJsonObject(claim) ? claim : {}, `spec.volumeClaimTemplates[${i}].spec`),
    ),
    ...claims.map(nameOf).flatMap((name, i) => {
      const path = `spec.template.spec.volumes[${i}]`
      return name === ''
        ? [required(`${path}.persistentVolumeClaim.claimName`), required(`${path}.name`)]
        : dnsLabelProblems(name).map((problem) => invalidValue(`${path}.name`, name, problem))
    }),
  ]
}

function serviceNameErrors(object: KubeObject): FieldError[] {
  const { serviceName } = object.spec as { serviceName?: string }
  return serviceName
    ? dnsLabel(serviceName, false).map((why) => invalidValue('spec.serviceName', serviceName, why))
    : []
}

const NEGATIVE_HISTORY =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'

function historyWarnings(object: KubeObject, changes: Changes): string[] {
  const { revisionHistoryLimit } = spec(object) as { revisionHistoryLimit?: number }
  return (revisionHistoryLimit ?? 0) < 0 && changes.has('StatefulSetHistoryLimitChanges')
    ? [NEGATIVE_HISTORY]
    : []
}

/** @param part only updates have it in warnings */
function ofClaims(object: KubeObject, part: '' | '.Spec'): string[] {
  const claims = (object.spec as JsonObject | undefined)?.volumeClaimTemplates
  return (Array.isArray(claims) ? claims.filter(isJsonObject) : []).flatMap((claim, i) =>
    claimWarnings(claim.spec as ClaimAmounts, `spec.volumeClaimTemplates[${i}]${part}`),
  )
}

/** Unless stored. */
function dropGatedMembers(engine: StrategyEngine, object: KubeObject, old?: KubeObject): void {
  dropGatedTemplateMembers(engine, object, old)
  const { MaxUnavailableStatefulSet, StatefulSetAutoDeletePVC } = engine.featureGates
  const [now, before]: [WorkloadSpec, WorkloadSpec] = [spec(object), old ? spec(old) : {}]
  const rolling = now.updateStrategy?.rollingUpdate
  if (
    rolling &&
    !MaxUnavailableStatefulSet &&
    before.updateStrategy?.rollingUpdate?.maxUnavailable === undefined
  )
    delete rolling.maxUnavailable
  if (!StatefulSetAutoDeletePVC && !before.persistentVolumeClaimRetentionPolicy)
    delete now.persistentVolumeClaimRetentionPolicy
}

/** @param old on update: if it is invalid, the template is not checked */
function specErrors(
  set: WorkloadSpec,
  options: PodValidationOptions,
  old: WorkloadSpec | undefined,
): FieldError[] {
  const {
    selector,
    template,
    podManagementPolicy: policy = '',
    persistentVolumeClaimRetentionPolicy: retention,
  } = set
  const errors: FieldError[] = []
  if (policy === '') errors.push(required('spec.podManagementPolicy'))
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(
      invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"),
    )
  append(errors, rolloutErrors(set.updateStrategy ?? {}, 'spec.updateStrategy'))
  for (const member of retention ? (['whenDeleted', 'whenScaled'] as const) : []) {
    const value = retention?.[member] ?? ''
    if (!RETENTIONS.includes(value))
      errors.push(
        notSupported(`spec.persistentVolumeClaimRetentionPolicy.${member}`, value, RETENTIONS),
      )
  }
  append(
    errors,
    notNegative('spec.replicas', set.replicas),
    notNegative('spec.minReadySeconds', set.minReadySeconds),
    notNegative('spec.ordinals.start', set.ordinals?.start),
    requiredSelectorErrors(selector, 'statefulset'),
  )
  if (!isUsable(selector)) errors.push(invalidSelector('spec.selector', selector, ''))
  else
    append(
      errors,
      mismatchErrors(template, selects(selector, template)),
      options.changes.has('StatefulSetTemplatesChecked') &&
        (old === undefined || specErrors(old, options, undefined).length === 0)
        ? podTemplateErrors(template, 'spec.template', options)
        : [],
      templateMetaErrors(template, 'spec.template', options),
    )
  return [...errors, ...longRunningErrors(template, 'StatefulSet')]
}

/** At least one, at most 100%. */
function unavailableErrors(field: string, most: Amount | undefined): FieldError[] {
  if (most === undefined) return []
  const none = plainAmount(most) === 0 ? [invalidAmount(field, most, 'cannot be 0')] : []
  return [...amountErrors(field, most), ...none, ...atMostWhole(field, most)]
}

function rolloutErrors(strategy: Rollout, path: string): FieldError[] {
  const { type = '', rollingUpdate: rolling } = strategy
  switch (type) {
    case '':
      return [required(path)]
    case 'OnDelete': {
      const why = "only allowed for updateStrategy 'RollingUpdate'"
      return rolling
        ? [
            invalidStructure(
              `${path}.rollingUpdate`,
              'apps.v1.RollingUpdateStatefulSetStrategy',
              rolling,
              why,
            ),
          ]
        : []
    }
    case 'RollingUpdate':
      return [
        ...notNegative(`${path}.rollingUpdate.partition`, rolling?.partition),
        ...unavailableErrors(`${path}.rollingUpdate.maxUnavailable`, rolling?.maxUnavailable),
      ]
    default:
      return [
        invalidStructure(
          path,
          'apps.v1.StatefulSetUpdateStrategy',
          strategy,
          "must be 'RollingUpdate' or 'OnDelete'",
        ),
      ]
  }
}
