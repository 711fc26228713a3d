/** Embedded structures and the order of members in kube-apiserver's internal types. */
import { memoizeByIdentity } from '../core/identity-memo'
import { entryOf } from '../core/object'
import { goFieldName, goMemberName } from '../schema/go-names'
import type { Field, StructType } from '../schema/model'

export interface Member {
  name: string
  field: Field
}
export interface Embedded {
  name: string
  type: string
  members: (Member | Embedded)[]
  /** Without this JSON member the pointer is nil. */
  pointerOf?: string
}

const EMBEDDED: Record<
  string,
  { name: string; members?: string[]; except?: string[]; order?: string[] }
> = {
  Volume: {
    name: 'VolumeSource',
    except: ['name'],
    order: [
      ...[
        'hostPath',
        'emptyDir',
        'gcePersistentDisk',
        'awsElasticBlockStore',
        'gitRepo',
        'secret',
        'nfs',
        'iscsi',
        'glusterfs',
      ],
      ...['persistentVolumeClaim', 'rbd', 'quobyte'],
    ],
  },
  Probe: { name: 'ProbeHandler', members: ['exec', 'httpGet', 'tcpSocket', 'grpc'] },
  EphemeralContainer: { name: 'EphemeralContainerCommon', except: ['targetContainerName'] },
  DeviceClaimConfiguration: { name: 'DeviceConfiguration', except: ['requests'] },
  DeviceClassConfiguration: { name: 'DeviceConfiguration', members: ['opaque'] },
  DeviceAllocationConfiguration: { name: 'DeviceConfiguration', except: ['source', 'requests'] },
  ConfigMapKeySelector: { name: 'LocalObjectReference', members: ['name'] },
  SecretKeySelector: { name: 'LocalObjectReference', members: ['name'] },
  ConfigMapEnvSource: { name: 'LocalObjectReference', members: ['name'] },
  SecretEnvSource: { name: 'LocalObjectReference', members: ['name'] },
  ConfigMapVolumeSource: { name: 'LocalObjectReference', members: ['name'] },
  ConfigMapProjection: { name: 'LocalObjectReference', members: ['name'] },
  SecretProjection: { name: 'LocalObjectReference', members: ['name'] },
}

/** Types with another order, or fewer members. */
const INTERNAL_ORDER: Record<string, string[]> = {
  PodSpec: [
    ...[
      'volumes',
      'initContainers',
      'containers',
      'ephemeralContainers',
      'restartPolicy',
      'terminationGracePeriodSeconds',
    ],
    ...[
      'activeDeadlineSeconds',
      'dnsPolicy',
      'nodeSelector',
      'serviceAccountName',
      'automountServiceAccountToken',
      'nodeName',
    ],
    ...[
      'securityContext',
      'imagePullSecrets',
      'hostname',
      'subdomain',
      'setHostnameAsFQDN',
      'affinity',
      'schedulerName',
      'tolerations',
    ],
    ...[
      'hostAliases',
      'priorityClassName',
      'priority',
      'preemptionPolicy',
      'dnsConfig',
      'readinessGates',
      'runtimeClassName',
      'overhead',
    ],
    ...[
      'enableServiceLinks',
      'topologySpreadConstraints',
      'os',
      'schedulingGates',
      'resourceClaims',
    ],
    // Of later releases.
    ...['resources', 'hostnameOverride', 'workloadRef', 'schedulingGroup', 'evictionResponders'],
  ],
  PodSecurityContext: [
    ...[
      'seLinuxOptions',
      'windowsOptions',
      'runAsUser',
      'runAsGroup',
      'runAsNonRoot',
      'supplementalGroups',
      'supplementalGroupsPolicy',
    ],
    ...['fsGroup', 'fsGroupChangePolicy', 'sysctls', 'seccompProfile', 'appArmorProfile'],
    'seLinuxChangePolicy',
  ],
}

/** Which member each moved one follows. */
const INTERNAL_PLACES: Record<string, Record<string, string>> = {
  JSONSchemaProps: { nullable: 'type' },
}

/** Pointers of the API that are plain values internally. */
const PLAIN_INSIDE: Record<string, string[]> = {
  ServiceAccountTokenProjection: ['expirationSeconds'],
  RollingUpdateStatefulSetStrategy: ['partition'],
  RollingUpdateDeployment: ['maxUnavailable', 'maxSurge'],
  RollingUpdateDaemonSet: ['maxUnavailable', 'maxSurge'],
}

/** Types that are as in the API since the internal types follow it. */
const ONCE_DIFFERENT: ReadonlySet<string> = new Set([
  'PodSpec',
  'PodSecurityContext',
  'ServiceAccountTokenProjection',
])

/** Pod members that are in the security context of the internal type. */
const HOST_MEMBERS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers']

const memberOf = (field: Field): Member => ({ name: goMemberName(field.name), field })

export function membersOf({ name, fields }: StructType): Member[] {
  const structure = name.slice(name.lastIndexOf('.') + 1)
  return fields.map((field) => ({ name: goFieldName(structure, field.name), field }))
}

export const internalMembers = memoizeByIdentity((type: StructType): (Member | Embedded)[] => {
  const short = type.name.slice(type.name.lastIndexOf('.') + 1)
  if (type.internalFollowsApi && ONCE_DIFFERENT.has(short)) return membersOf(type)
  const plain = entryOf(PLAIN_INSIDE, short) ?? []
  const fields = replaced(
    fieldsInOrder(type, entryOf(INTERNAL_ORDER, short)),
    entryOf(INTERNAL_PLACES, short) ?? {},
  ).map((field) => (plain.includes(field.name) ? { ...field, pointer: false } : field))
  const embedded = entryOf(EMBEDDED, short)
  if (embedded !== undefined) {
    const order = type.internalFollowsApi ? undefined : embedded.order
    const inside = fieldsInOrder(type, order, true).filter((field) =>
      embedded.members
        ? embedded.members.includes(field.name)
        : !embedded.except?.includes(field.name),
    )
    const around = fields.filter((field) => !inside.includes(field)).map(memberOf)
    const part: Embedded = {
      name: embedded.name,
      type: embedded.name,
      members: inside.map(memberOf),
    }
    return embedded.members || short === 'EphemeralContainer'
      ? [part, ...around]
      : [...around, part]
  }
  if (short !== 'PodSpec') return membersOf({ ...type, fields })
  return fields.map((field) =>
    field.name === 'securityContext' ? podSecurityContext(type, field) : memberOf(field),
  )
})

function podSecurityContext(pod: StructType, field: Field): Embedded {
  const shared = HOST_MEMBERS.flatMap((name) => pod.byName.get(name) ?? []).map(memberOf)
  const own = internalMembers(field.type as StructType)
  return {
    name: 'SecurityContext',
    type: 'PodSecurityContext',
    members: [...shared, ...own],
    pointerOf: 'securityContext',
  }
}

/** @param andRest appends other fields */
function fieldsInOrder(type: StructType, order: string[] | undefined, andRest = false): Field[] {
  if (order === undefined) return type.fields
  const named = order.flatMap((name) => type.byName.get(name) ?? [])
  return andRest ? [...named, ...type.fields.filter((field) => !order.includes(field.name))] : named
}

function replaced(fields: Field[], places: Record<string, string>): Field[] {
  const moved = (name: string) => fields.filter((field) => entryOf(places, field.name) === name)
  return fields
    .filter(({ name }) => !(name in places))
    .flatMap((field) => [field, ...moved(field.name)])
}
