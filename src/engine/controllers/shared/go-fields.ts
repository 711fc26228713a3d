import { entryOf } from '../../object'
/** Fields that Go's structures below a pod template hold in structures of their own (public API of the release). */

/** Fields that a structure of their own holds, of which JSON knows nothing. */
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
