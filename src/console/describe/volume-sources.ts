import { entryOf, type Json, type JsonObject } from '../../engine/core/object'
import { goFormat } from '../../engine/schema/go-text'
import type { Report } from './report'
import { pairsOf } from './words'

type Value = string | number | boolean | null | undefined
/** A field's title and value: a member's name, or a function of the source. */
type Field = [
  name: string,
  shown: string | ((source: JsonObject) => Value),
  colon?: typeof NO_COLON,
]
/** The only field that kubectl prints without a colon. */
const NO_COLON = ''

interface Source {
  sentence: string
  fields: Field[]
  /** Lines after the fields. */
  more?(report: Report, source: JsonObject): void
}

const object = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** Printed even if it is false. */
const flag =
  (member: string) =>
  (source: JsonObject): Value =>
    source[member] === true
/** Printed even if it is zero. */
const number =
  (member: string) =>
  (source: JsonObject): Value =>
    (source[member] as number | undefined) ?? 0
const or =
  (member: string, absent: string) =>
  (source: JsonObject): Value =>
    (source[member] as Value) ?? absent
const list =
  (member: string) =>
  (source: JsonObject): Value =>
    goFormat(source[member] ?? [])
/** A Secret in the pod's namespace, as Go prints it. */
const secretReference = (source: JsonObject): Value =>
  source.secretRef === undefined
    ? '<nil>'
    : `&LocalObjectReference{Name:${(object(source.secretRef).name as string) ?? ''},}`
const secretOfNamespace = (source: JsonObject): Value => {
  const { name = '', namespace = '' } = object(source.secretRef) as {
    name?: string
    namespace?: string
  }
  return source.secretRef === undefined
    ? '<nil>'
    : `&SecretReference{Name:${name},Namespace:${namespace},}`
}

const READ_ONLY: Field = ['ReadOnly', flag('readOnly')]
const FS_TYPE: Field = ['FSType', 'fsType']
/** Unset prints as Go's nil. */
const optional = (source: JsonObject): Value => (source.optional as boolean | undefined) ?? '<nil>'

/** By the member of a volume. */
const SOURCES: Record<string, Source> = {
  hostPath: {
    sentence: 'HostPath (bare host directory volume)',
    fields: [
      ['Path', 'path'],
      ['HostPathType', or('type', '<none>')],
    ],
  },
  emptyDir: {
    sentence: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: [
      ['Medium', 'medium'],
      [
        'SizeLimit',
        ({ sizeLimit }) =>
          sizeLimit === undefined || sizeLimit === '0' ? '<unset>' : (sizeLimit as string),
      ],
    ],
  },
  gcePersistentDisk: {
    sentence: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    fields: [['PDName', 'pdName'], FS_TYPE, ['Partition', number('partition')], READ_ONLY],
  },
  awsElasticBlockStore: {
    sentence: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    fields: [['VolumeID', 'volumeID'], FS_TYPE, ['Partition', number('partition')], READ_ONLY],
  },
  gitRepo: {
    sentence: 'GitRepo (a volume that is pulled from git when the pod is created)',
    fields: [
      ['Repository', 'repository'],
      ['Revision', 'revision'],
    ],
  },
  secret: {
    sentence: 'Secret (a volume populated by a Secret)',
    fields: [
      ['SecretName', 'secretName'],
      ['Optional', flag('optional')],
    ],
  },
  configMap: {
    sentence: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: [
      ['Name', 'name'],
      ['Optional', flag('optional')],
    ],
  },
  nfs: {
    sentence: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: [['Server', 'server'], ['Path', 'path'], READ_ONLY],
  },
  iscsi: {
    sentence:
      "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
    fields: [
      ['TargetPortal', 'targetPortal'],
      ['IQN', 'iqn'],
      ['Lun', number('lun')],
      ['ISCSIInterface', 'iscsiInterface', NO_COLON],
      FS_TYPE,
      READ_ONLY,
      ['Portals', list('portals')],
      ['DiscoveryCHAPAuth', flag('chapAuthDiscovery')],
      ['SessionCHAPAuth', flag('chapAuthSession')],
      [
        'SecretRef',
        (source) =>
          'namespace' in object(source.secretRef)
            ? secretOfNamespace(source)
            : secretReference(source),
      ],
      ['InitiatorName', or('initiatorName', '<none>')],
    ],
  },
  glusterfs: {
    sentence: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    fields: [['EndpointsName', 'endpoints'], ['Path', 'path'], READ_ONLY],
  },
  persistentVolumeClaim: {
    sentence:
      'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: [['ClaimName', 'claimName'], READ_ONLY],
  },
  rbd: {
    sentence: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
    fields: [
      ['CephMonitors', list('monitors')],
      ['RBDImage', 'image'],
      FS_TYPE,
      ['RBDPool', 'pool'],
      ['RadosUser', 'user'],
      ['Keyring', 'keyring'],
      ['SecretRef', secretReference],
      READ_ONLY,
    ],
  },
  quobyte: {
    sentence: "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    fields: [['Registry', 'registry'], ['Volume', 'volume'], READ_ONLY],
  },
  downwardAPI: {
    sentence: 'DownwardAPI (a volume populated by information about the pod)',
    fields: [],
    more: (report, source) => {
      report.line(2, 'Items:')
      for (const item of (source.items ?? []) as JsonObject[]) {
        const shown = object(item.fieldRef).fieldPath ?? object(item.resourceFieldRef).resource
        if (shown !== undefined) report.line(3, `${shown} -> ${item.path}`)
      }
    },
  },
  azureDisk: {
    sentence: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    fields: [
      ['DiskName', 'diskName'],
      ['DiskURI', 'diskURI'],
      ['Kind', 'kind'],
      FS_TYPE,
      ['CachingMode', 'cachingMode'],
      READ_ONLY,
    ],
  },
  vsphereVolume: {
    sentence: 'vSphereVolume (a Persistent Disk resource in vSphere)',
    fields: [['VolumePath', 'volumePath'], FS_TYPE, ['StoragePolicyName', 'storagePolicyName']],
  },
  cinder: {
    sentence: 'Cinder (a Persistent Disk resource in OpenStack)',
    fields: [['VolumeID', 'volumeID'], FS_TYPE, READ_ONLY, ['SecretRef', secretReference]],
  },
  photonPersistentDisk: {
    sentence: 'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    fields: [['PdID', 'pdID'], FS_TYPE],
  },
  portworxVolume: {
    sentence: 'PortworxVolume (a Portworx Volume resource)',
    fields: [['VolumeID', 'volumeID']],
  },
  scaleIO: {
    sentence: 'ScaleIO (a persistent volume backed by a block device in ScaleIO)',
    fields: [
      ['Gateway', 'gateway'],
      ['System', 'system'],
      ['Protection Domain', 'protectionDomain'],
      ['Storage Pool', 'storagePool'],
      ['Storage Mode', 'storageMode'],
      ['VolumeName', 'volumeName'],
      FS_TYPE,
      READ_ONLY,
    ],
  },
  cephfs: {
    sentence: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
    fields: [
      ['Monitors', list('monitors')],
      ['Path', 'path'],
      ['User', 'user'],
      ['SecretFile', 'secretFile'],
      ['SecretRef', secretReference],
      READ_ONLY,
    ],
  },
  storageos: {
    sentence: 'StorageOS (a StorageOS Persistent Disk resource)',
    fields: [
      ['VolumeName', 'volumeName'],
      ['VolumeNamespace', 'volumeNamespace'],
      FS_TYPE,
      READ_ONLY,
    ],
  },
  fc: {
    sentence: 'FC (a Fibre Channel disk)',
    fields: [
      ['TargetWWNs', ({ targetWWNs }) => ((targetWWNs ?? []) as string[]).join(', ')],
      ['LUN', or('lun', '<none>')],
      FS_TYPE,
      READ_ONLY,
    ],
  },
  azureFile: {
    sentence: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: [['SecretName', 'secretName'], ['ShareName', 'shareName'], READ_ONLY],
  },
  flexVolume: {
    sentence:
      'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
    fields: [
      ['Driver', 'driver'],
      FS_TYPE,
      ['SecretRef', secretReference],
      READ_ONLY,
      ['Options', ({ options }) => goFormat(options ?? {})],
    ],
  },
  flocker: {
    sentence: 'Flocker (a Flocker volume mounted by the Flocker agent)',
    fields: [
      ['DatasetName', 'datasetName'],
      ['DatasetUUID', 'datasetUUID'],
    ],
  },
  local: {
    sentence: 'LocalVolume (a persistent volume backed by local storage on a node)',
    fields: [['Path', 'path']],
  },
  csi: {
    sentence: 'CSI (a Container Storage Interface (CSI) volume source)',
    fields: [['Driver', 'driver'], FS_TYPE, READ_ONLY],
    more: volumeAttributes,
  },
  projected: {
    sentence: 'Projected (a volume that contains injected data from multiple sources)',
    fields: [],
    more: (report, source) => {
      for (const part of (source.sources ?? []) as JsonObject[]) projection(report, part)
    },
  },
}

function projection(report: Report, part: JsonObject): void {
  const { secret, configMap, serviceAccountToken } = part
  if (secret) {
    report.field(2, 'SecretName', object(secret).name as string)
    report.field(2, 'SecretOptionalName', optional(object(secret)))
  } else if (part.downwardAPI) report.field(2, 'DownwardAPI', true)
  else if (configMap) {
    report.field(2, 'ConfigMapName', object(configMap).name as string)
    report.field(2, 'ConfigMapOptional', optional(object(configMap)))
  } else if (serviceAccountToken)
    report.field(
      2,
      'TokenExpirationSeconds',
      object(serviceAccountToken).expirationSeconds as number,
    )
}

function volumeAttributes(report: Report, source: JsonObject): void {
  const pairs = pairsOf(source.volumeAttributes as Record<string, string> | undefined)
  const [first, ...others] = pairs
  report.line(2, 'VolumeAttributes:', first === undefined ? '<none>' : `    ${first}`)
  for (const pair of others) report.line(2, '', `    ${pair}`)
}

/** Different in persistent volumes: Secrets have namespaces, drivers handles. */
const PERSISTENT: Record<string, Source> = {
  glusterfs: {
    sentence: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    fields: [
      ['EndpointsName', 'endpoints'],
      ['EndpointsNamespace', or('endpointsNamespace', '<unset>')],
      ['Path', 'path'],
      READ_ONLY,
    ],
  },
  azureFile: {
    sentence: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: [
      ['SecretName', 'secretName'],
      ['SecretNamespace', or('secretNamespace', '')],
      ['ShareName', 'shareName'],
      READ_ONLY,
    ],
  },
  scaleIO: {
    sentence: 'ScaleIO (a persistent volume backed by a block device in ScaleIO)',
    fields: [
      ['Gateway', 'gateway'],
      ['System', 'system'],
      ['Protection Domain', 'protectionDomain'],
      ['Storage Pool', 'storagePool'],
      ['Storage Mode', 'storageMode'],
      ['VolumeName', 'volumeName'],
      ['SecretName', ({ secretRef }) => object(secretRef).name as string],
      ['SecretNamespace', ({ secretRef }) => object(secretRef).namespace as string],
      FS_TYPE,
      READ_ONLY,
    ],
  },
  csi: {
    sentence: 'CSI (a Container Storage Interface (CSI) volume source)',
    fields: [['Driver', 'driver'], FS_TYPE, ['VolumeHandle', 'volumeHandle'], READ_ONLY],
    more: volumeAttributes,
  },
  ...Object.fromEntries(
    ['rbd', 'cephfs', 'cinder', 'flexVolume'].map((member) => {
      const { sentence, fields } = entryOf(SOURCES, member) as Source
      return [
        member,
        {
          sentence,
          fields: fields.map(
            (field): Field => (field[0] === 'SecretRef' ? ['SecretRef', secretOfNamespace] : field),
          ),
        },
      ]
    }),
  ),
}

/** @returns false for an unknown source */
export function volumeSource(report: Report, volume: JsonObject, persistent = false): boolean {
  const member = Object.keys(SOURCES).find(
    (name) => volume[name] !== undefined && volume[name] !== null,
  )
  if (member === undefined) return false
  const { sentence, fields, more } =
    (persistent ? entryOf(PERSISTENT, member) : undefined) ?? (entryOf(SOURCES, member) as Source)
  const source = object(volume[member])
  report.field(2, 'Type', sentence)
  for (const [name, shown, colon = ':'] of fields)
    report.line(
      2,
      `${name}${colon}`,
      typeof shown === 'string' ? (source[shown] as Value) : shown(source),
    )
  more?.(report, source)
  return true
}
