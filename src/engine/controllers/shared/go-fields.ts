import { entryOf } from '../../core/object'
/** Embedded Go structs of pod templates (k8s.io/api/core/v1). */

/** JSON does not show it. */
export interface Embedded {
  name: string
  /** JSON names. */
  members: readonly string[]
}

const REFERENCE: Embedded = { name: 'LocalObjectReference', members: ['name'] }
const EMBEDDED: Record<string, Embedded> = {
  ConfigMapEnvSource: REFERENCE,
  ConfigMapKeySelector: REFERENCE,
  ConfigMapProjection: REFERENCE,
  ConfigMapVolumeSource: REFERENCE,
  SecretEnvSource: REFERENCE,
  SecretKeySelector: REFERENCE,
  SecretProjection: REFERENCE,
  Probe: { name: 'ProbeHandler', members: ['exec', 'httpGet', 'tcpSocket', 'grpc'] },
  Volume: {
    name: 'VolumeSource',
    members: [
      'hostPath',
      'emptyDir',
      'gcePersistentDisk',
      'awsElasticBlockStore',
      'gitRepo',
      'secret',
      'nfs',
      'iscsi',
      'glusterfs',
      'persistentVolumeClaim',
      'rbd',
      'flexVolume',
      'cinder',
      'cephfs',
      'flocker',
      'downwardAPI',
      'fc',
      'azureFile',
      'configMap',
      'vsphereVolume',
      'quobyte',
      'azureDisk',
      'photonPersistentDisk',
      'projected',
      'portworxVolume',
      'scaleIO',
      'storageos',
      'csi',
      'ephemeral',
      'image',
    ],
  },
}

export const embeddedIn = (structure: string): Embedded | undefined => entryOf(EMBEDDED, structure)
