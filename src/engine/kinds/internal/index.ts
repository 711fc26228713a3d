/** Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis. */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Kind } from '../../registry/kind'
import { STATUS_ALONE, type Strategy } from '../../registry/strategy'
import { OBJECT_FIRST } from '../../registry/update-order'
import type { Changes } from '../../release-tables/changes'
import { goQuote } from '../../schema/go-text'
import { repeatsIn } from '../../schema/repeats'
import { conditionErrors, type StatusCondition } from '../../validation/conditions'
import {
  duplicate,
  invalidValue,
  required,
  requiredOnly,
  untilChange,
} from '../../validation/field-errors'
import { invalidStructures, invalidTypedList } from '../../validation/go-literal'
import {
  dns1035LabelProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from '../../validation/names'

interface ServerVersions {
  apiServerID?: string
  encodingVersion?: string
  decodableVersions?: string[]
  servedVersions?: string[]
}

interface StorageVersionStatus {
  storageVersions?: ServerVersions[]
  commonEncodingVersion?: string
  conditions?: StatusCondition[]
}

const keepsSpec = (object: KubeObject, old: KubeObject): void => {
  object.spec = old.spec
}

const storageVersionStrategy: Strategy = {
  nameRule: resourceNameProblems,
  allowUnconditionalUpdate: false,
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  status: {
    prepareForUpdate: keepsSpec,
    validateUpdate: (object) => versionStatusErrors((object.status ?? {}) as StorageVersionStatus),
  },
}

/** `apps.deployments`, `core.pods` */
function resourceNameProblems(name: string): string[] {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return ['name must be in the form of <group>.<resource>']
  return [
    ...dnsSubdomainProblems(name.slice(0, dot)).map((why) => `the group segment ${why}`),
    ...dns1035LabelProblems(name.slice(dot + 1)).map((why) => `the resource segment ${why}`),
  ]
}

function versionStatusErrors(status: StorageVersionStatus): FieldError[] {
  const { storageVersions: servers = [] } = status
  const ids = servers.map(({ apiServerID = '' }) => apiServerID)
  const isRepeat = repeatsIn(ids)
  return [
    ...servers.flatMap((server, i) => {
      const path = `status.storageVersions[${i}]`
      const id = ids[i] ?? ''
      return [
        ...(isRepeat(i) ? [duplicate(`${path}.apiServerID`, id)] : []),
        ...serverErrors(server, path),
      ]
    }),
    ...commonErrors(status),
    ...versionConditionErrors(status.conditions ?? []),
  ]
}

function versionConditionErrors(conditions: StatusCondition[]): FieldError[] {
  const places = new Map<string, number>()
  return conditions.flatMap(({ type = '', status = '', reason, message }, i) => {
    const path = `status[${i}]`
    const before = places.get(type)
    places.set(type, i)
    const twice = `the type of the condition is not unique, it also appears in conditions[${before}]`
    return [
      ...(before === undefined ? [] : [invalidValue(`${path}.type`, type, twice)]),
      ...qualifiedNameProblems(type).map((why) => invalidValue(`${path}.type`, type, why)),
      ...qualifiedNameProblems(status).map((why) => invalidValue(`${path}.status`, status, why)),
      ...(reason ? [] : [required(`${path}.reason`, 'reason cannot be empty')]),
      ...(message ? [] : [required(`${path}.message`, 'message cannot be empty')]),
    ]
  })
}

function serverErrors(
  { apiServerID = '', encodingVersion = '', ...lists }: ServerVersions,
  path: string,
): FieldError[] {
  const { decodableVersions: decodable = [], servedVersions: served = [] } = lists
  const named = (field: string, version: string): FieldError[] => {
    const problems = versionProblems(version)
    return problems.length > 0 ? [invalidValue(field, version, problems.join(','))] : []
  }
  const why = (version: string) =>
    `individual served version : ${version} must be included in decodableVersions : [${decodable.join(' ')}]`
  return [
    ...dnsSubdomainProblems(apiServerID).map((problem) =>
      invalidValue(`${path}.apiServerID`, apiServerID, problem),
    ),
    ...named(`${path}.encodingVersion`, encodingVersion),
    ...decodable.flatMap((version, i) => named(`${path}.decodableVersions[${i}]`, version)),
    ...served.flatMap((version, i) => {
      const field = `${path}.servedVersions[${i}]`
      return [
        ...named(field, version),
        ...(decodable.includes(version) ? [] : [invalidValue(field, version, why(version))]),
      ]
    }),
    ...(decodable.includes(encodingVersion)
      ? []
      : [
          invalidTypedList(
            `${path}.decodableVersions`,
            'string',
            lists.decodableVersions,
            `decodableVersions must include encodingVersion ${encodingVersion}`,
          ),
        ]),
  ]
}

const [LABEL_PROBLEM = ''] = dns1035LabelProblems('')
const TOO_MANY_PARTS = `an apiVersion is ${LABEL_PROBLEM.replace('label must', 'label, which must')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`

/** `v1` or `apps/v1`. */
function versionProblems(name: string): string[] {
  const [first = '', second, ...more] = name.split('/')
  if (more.length > 0) return [TOO_MANY_PARTS]
  const [group, version] = second === undefined ? [undefined, first] : [first, second]
  const ofGroup =
    group === undefined
      ? []
      : group === ''
        ? ['group part: must be non-empty']
        : dnsSubdomainProblems(group).map((why) => `group part: ${why}`)
  if (version === '') return [...ofGroup, 'version part: must be non-empty']
  return [...ofGroup, ...dns1035LabelProblems(version).map((why) => `version part: ${why}`)]
}

/** Set if and only if all servers agree. */
function commonErrors({
  storageVersions: servers = [],
  commonEncodingVersion: reported,
}: StorageVersionStatus): FieldError[] {
  const versions = new Set(servers.map(({ encodingVersion = '' }) => encodingVersion))
  const [actual] = versions.size === 1 ? [...versions] : []
  if (reported === actual) return []
  const field = 'status.commonEncodingVersion'
  if (reported === undefined)
    return [invalidValue(field, undefined, `the common encoding version is ${actual}`)]
  const why =
    actual === undefined
      ? 'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet'
      : `the actual common encoding version is ${actual}`
  return [invalidValue(field, reported, why)]
}

interface MigrationCondition extends StatusCondition {
  lastUpdateTime?: string
}

interface Migration extends KubeObject {
  spec?: { resource?: { group?: string; version?: string; resource?: string } }
  status?: { resourceVersion?: string; conditions?: MigrationCondition[] }
}

const MEMBERS = ['group', 'version', 'resource'] as const

const migrationStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  validate(object) {
    const { resource, version } = (object as Migration).spec?.resource ?? {}
    const unversioned = requiredOnly('spec.resource.version', 'version is required')
    return [
      ...(resource ? [] : [requiredOnly('spec.resource.resource', 'resource is required')]),
      ...(version ? [] : [untilChange('MigrationsOfAllVersions', unversioned)]),
    ]
  },
  validateUpdate(object, old) {
    const [now, before] = [
      (object as Migration).spec?.resource ?? {},
      (old as Migration).spec?.resource ?? {},
    ]
    const changed = MEMBERS.filter((member) => (now[member] ?? '') !== (before[member] ?? ''))
    return changed.map((member) => invalidValue(member, now[member] ?? '', 'field is immutable'))
  },
  status: {
    prepareForUpdate: keepsSpec,
    validateUpdate: (object, old, { engine }) =>
      migrationStatusErrors(object as Migration, old as Migration, engine.tables.changes),
  },
}

const isTrue = (conditions: MigrationCondition[], type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === 'True')

function migrationStatusErrors(
  { status = {} }: Migration,
  old: Migration,
  changes: Changes,
): FieldError[] {
  const isLater = changes.has('MigrationsOfAllVersions')
  const { resourceVersion: version = '', conditions = [] } = status
  const before = old.status?.resourceVersion ?? ''
  const field = 'status.resourceVersion'
  const asConditions = isLater
    ? conditions
    : conditions.map((condition) => ({
        ...condition,
        lastTransitionTime: condition.lastUpdateTime ?? null,
      }))
  const wrong = (why: string): FieldError =>
    isLater
      ? invalidStructures(
          'status.conditions',
          'io.k8s.apimachinery.pkg.apis.meta.v1.Condition',
          conditions,
          why,
        )
      : invalidValue('status.conditions', conditions, why)
  return [
    ...(/^\d*$/.test(version) ? [] : [invalidValue(field, version, versionProblem(version))]),
    ...conditionErrors(asConditions, 'status.conditions'),
    ...(before !== '' && before !== version
      ? [
          invalidValue(
            field,
            version,
            isLater ? 'field is immutable' : 'resourceVersion cannot be updated',
          ),
        ]
      : []),
    ...contradictionsIn(conditions).map(wrong),
    ...(isLater ? endsIn(conditions, old.status?.conditions ?? []) : []).map(wrong),
  ]
}

const versionProblem = (version: string): string =>
  `failed to parse resource version ${goQuote(version)}: strconv.ParseInt: parsing ${goQuote(version)}: invalid syntax`

function contradictionsIn(conditions: MigrationCondition[]): string[] {
  const [succeeded, failed, running] = ['Succeeded', 'Failed', 'Running'].map((type) =>
    isTrue(conditions, type),
  )
  return [
    ...(succeeded && failed
      ? ['Both success and failed conditions cannot be true at the same time']
      : []),
    ...(succeeded && running
      ? ['Running condition cannot be true when success condition is true']
      : []),
    ...(failed && running
      ? ['Running condition cannot be true when failed condition is true']
      : []),
  ]
}

function endsIn(now: MigrationCondition[], before: MigrationCondition[]): string[] {
  const left = (type: string) => isTrue(before, type) && !isTrue(now, type)
  return [
    ...(left('Succeeded') ? ['Success condition cannot be set to false once it is true'] : []),
    ...(left('Failed') ? ['Failed condition cannot be set to false once it is true'] : []),
  ]
}

export const internalKinds: readonly Kind[] = [
  {
    group: 'internal.apiserver.k8s.io',
    kind: 'StorageVersion',
    strategy: storageVersionStrategy,
    updateChecks: ['object', 'change'],
    subresourceChecks: ['change'],
  },
  {
    group: 'storagemigration.k8s.io',
    kind: 'StorageVersionMigration',
    strategy: migrationStrategy,
    updateChecks: OBJECT_FIRST,
  },
]
