import { entryOf } from '../core/object'

const INITIALISM =
  /^(?:api|aws|ca|cel|cidr|csi|dns|fc|fs|gce|gmsa|grpc|http|id|ip|iqn|iscsi|json|nfs|os|pd|rbd|se|ssl|tcp|tls|ttl|tty|uid|url)(?=[A-Z]|$)/
const IRREGULAR: Record<string, string> = {
  metadata: 'ObjectMeta',
  cephfs: 'CephFS',
  cidrs: 'CIDRs',
  storageos: 'StorageOS',
  wwids: 'WWIDs',
}

/** `dnsPolicy` -> `DNSPolicy`, `x-kubernetes-list-type` -> `XListType` */
export function goMemberName(name: string): string {
  if (name.startsWith(EXTENSION))
    return `X${name.slice(EXTENSION.length).split('-').map(capitalized).join('')}`
  if (name.startsWith('$')) return capitalized(name.slice(1))
  const irregular = entryOf(IRREGULAR, name)
  if (irregular !== undefined) return irregular
  const initials = INITIALISM.exec(name)?.[0]
  return initials === undefined
    ? capitalized(name)
    : initials.toUpperCase() + name.slice(initials.length)
}

const EXTENSION = 'x-kubernetes-'
const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const RBD = { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' }
const ISCSI = { chapAuthDiscovery: 'DiscoveryCHAPAuth', chapAuthSession: 'SessionCHAPAuth' }
const SPELLED: Record<string, Record<string, string>> = {
  AzureDiskVolumeSource: { diskURI: 'DataDiskURI' },
  Event: { reportingComponent: 'ReportingController' },
  DeviceAttribute: {
    int: 'IntValue',
    bool: 'BoolValue',
    string: 'StringValue',
    version: 'VersionValue',
  },
  GlusterfsPersistentVolumeSource: { endpoints: 'EndpointsName' },
  GlusterfsVolumeSource: { endpoints: 'EndpointsName' },
  ISCSIPersistentVolumeSource: ISCSI,
  ISCSIVolumeSource: ISCSI,
  PodSpec: { serviceAccount: 'DeprecatedServiceAccount' },
  PhotonPersistentDiskVolumeSource: { pdID: 'PdID' },
  RBDPersistentVolumeSource: RBD,
  RBDVolumeSource: RBD,
}

/** @param structure `RBDVolumeSource` @param name `pool` @returns `RBDPool` */
export const goFieldName = (structure: string, name: string): string =>
  entryOf(entryOf(SPELLED, structure) ?? {}, name) ?? goMemberName(name)
