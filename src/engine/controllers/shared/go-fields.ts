/** How Go's structures below a pod template name their fields where it is not the JSON name with a capital (public API of the release). */

/** By JSON name, in whatever structure. */
const NAMES: Record<string, string> = {
  apiGroup: 'APIGroup',
  apiVersion: 'APIVersion',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  cephfs: 'CephFS',
  chapAuthDiscovery: 'DiscoveryCHAPAuth',
  chapAuthSession: 'SessionCHAPAuth',
  csi: 'CSI',
  diskURI: 'DataDiskURI',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  endpoints: 'EndpointsName',
  fc: 'FC',
  fsGroup: 'FSGroup',
  fsGroupChangePolicy: 'FSGroupChangePolicy',
  fsType: 'FSType',
  gcePersistentDisk: 'GCEPersistentDisk',
  gmsaCredentialSpec: 'GMSACredentialSpec',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  grpc: 'GRPC',
  httpGet: 'HTTPGet',
  httpHeaders: 'HTTPHeaders',
  ip: 'IP',
  iqn: 'IQN',
  iscsi: 'ISCSI',
  iscsiInterface: 'ISCSIInterface',
  metadata: 'ObjectMeta',
  nfs: 'NFS',
  os: 'OS',
  pdName: 'PDName',
  rbd: 'RBD',
  seLinuxOptions: 'SELinuxOptions',
  serviceAccount: 'DeprecatedServiceAccount',
  sslEnabled: 'SSLEnabled',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  tty: 'TTY',
  uid: 'UID',
  wwids: 'WWIDs',
}

/** By structure, where a name means something else elsewhere. */
const NAMES_IN: Record<string, Record<string, string>> = {
  RBDVolumeSource: { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' },
}

/** @param structure `PodSpec` @returns `DNSPolicy` for `dnsPolicy` */
export function goFieldName(structure: string, name: string): string {
  return NAMES_IN[structure]?.[name] ?? NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1)
}

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

export const embeddedIn = (structure: string): Embedded | undefined => EMBEDDED[structure]
