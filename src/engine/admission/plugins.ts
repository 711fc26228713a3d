/** The plugins of Kubernetes 1.31 and PodSecurityPolicy, in call order. */
import { entryOf } from '../core/object'
import { BASE_RELEASE } from '../release-tables/minor'
import { hasCome } from '../releases/release'
import type { AdmissionPlugin } from './admission'
import { alwaysAdmit, alwaysDeny } from './always'
import { alwaysPullImages } from './always-pull-images'
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
} from './certificates'
import { defaultIngressClass, defaultStorageClass } from './default-class'
import { defaultTolerationSeconds } from './default-toleration-seconds'
import { denyServiceExternalIPs } from './deny-service-external-ips'
import type { AdmissionEnvironment } from './environment'
import { eventRateLimit } from './event-rate-limit'
import { extendedResourceToleration } from './extended-resource-toleration'
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology'
import { limitRanger } from './limit-ranger'
import { namespaceLifecycle } from './namespace-lifecycle'
import { namespaceAutoProvision, namespaceExists } from './namespaces'
import { nodeRestriction } from './node-restriction/node-restriction'
import { ownerReferencesPermissionEnforcement } from './owner-references-permission'
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize'
import { podNodeSelector } from './pod-node-selector'
import { podSecurity } from './pod-security/pod-security'
import { podSecurityPolicy } from './pod-security-policy/pod-security-policy'
import { podTolerationRestriction } from './pod-toleration-restriction'
import { priority } from './priority'
import { resourceQuota } from './quota/resource-quota'
import { runtimeClass } from './runtime-class'
import { serviceAccount } from './service-account'
import { storageObjectInUseProtection } from './storage-object-in-use-protection'
import { taintNodesByCondition } from './taint-nodes-by-condition'

interface Entry {
  name: string
  onByDefault: boolean
  /** Releases; `added` is absent for plugins older than those emulated. */
  added?: string
  removed?: string
  /** Absent if another layer makes the plugin, or if it is not implemented. */
  make?(environment: AdmissionEnvironment): AdmissionPlugin
}

/** Plugins of other layers, by name. */
export type OtherPlugins<Environment extends AdmissionEnvironment> = Readonly<
  Record<string, (environment: Environment) => AdmissionPlugin>
>

const on = (name: string, make?: Entry['make']): Entry => ({
  name,
  onByDefault: true,
  ...(make && { make }),
})
const off = (name: string, make?: Entry['make']): Entry => ({
  name,
  onByDefault: false,
  ...(make && { make }),
})

const PLUGINS: readonly Entry[] = [
  off('AlwaysAdmit', alwaysAdmit),
  off('NamespaceAutoProvision', namespaceAutoProvision),
  on('NamespaceLifecycle', namespaceLifecycle),
  off('NamespaceExists', namespaceExists),
  off('LimitPodHardAntiAffinityTopology', limitPodHardAntiAffinityTopology),
  on('LimitRanger', limitRanger),
  on('ServiceAccount', serviceAccount),
  off('NodeRestriction', nodeRestriction),
  on('TaintNodesByCondition', taintNodesByCondition),
  off('AlwaysPullImages', alwaysPullImages),
  off('ImagePolicyWebhook'),
  on('PodSecurity', podSecurity),
  { ...off('PodSecurityPolicy', podSecurityPolicy), removed: '1.25' },
  off('PodNodeSelector', podNodeSelector),
  on('Priority', priority),
  on('DefaultTolerationSeconds', defaultTolerationSeconds),
  off('PodTolerationRestriction', podTolerationRestriction),
  off('EventRateLimit', eventRateLimit),
  off('ExtendedResourceToleration', extendedResourceToleration),
  on('DefaultStorageClass', defaultStorageClass),
  on('StorageObjectInUseProtection', storageObjectInUseProtection),
  off('OwnerReferencesPermissionEnforcement', ownerReferencesPermissionEnforcement),
  on('PersistentVolumeClaimResize', persistentVolumeClaimResize),
  on('RuntimeClass', runtimeClass),
  on('CertificateApproval', certificateApproval),
  on('CertificateSigning', certificateSigning),
  on('ClusterTrustBundleAttest', clusterTrustBundleAttest),
  on('CertificateSubjectRestriction', certificateSubjectRestriction),
  on('DefaultIngressClass', defaultIngressClass),
  off('DenyServiceExternalIPs', denyServiceExternalIPs),
  { ...on('MutatingAdmissionPolicy'), added: '1.32' },
  on('MutatingAdmissionWebhook'),
  on('ValidatingAdmissionPolicy'),
  on('ValidatingAdmissionWebhook'),
  on('ResourceQuota', resourceQuota),
  off('AlwaysDeny', alwaysDeny),
]

export const CONFIGURABLE: readonly string[] = [
  'EventRateLimit',
  'MutatingAdmissionWebhook',
  'PodNodeSelector',
  'PodSecurity',
  'PodTolerationRestriction',
  'ResourceQuota',
  'ValidatingAdmissionWebhook',
]

export interface PluginSelection {
  enable: readonly string[]
  disable: readonly string[]
}

/** The first two texts are kube-apiserver's. */
export function selectionProblems(
  { enable, disable }: PluginSelection,
  release: string = BASE_RELEASE,
): string[] {
  const find = (name: string) =>
    PLUGINS.find(
      (entry) =>
        entry.name === name &&
        !(entry.added && !hasCome(entry.added, release)) &&
        !(entry.removed && hasCome(entry.removed, release)),
    )
  const unknown = (flag: string, names: readonly string[]) =>
    names
      .filter((name) => find(name) === undefined)
      .map((name) => `${flag}-admission-plugins plugin ${JSON.stringify(name)} is unknown`)
  const both = [...new Set(enable)].filter((name) => disable.includes(name)).sort()
  return [
    ...unknown('enable', enable),
    ...unknown('disable', disable),
    ...(both.length > 0
      ? [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]
      : []),
    ...enable
      .filter((name) => find(name)?.onByDefault === false && find(name)?.make === undefined)
      .map((name) => `admission plugin ${JSON.stringify(name)} is not there yet`),
  ]
}

export function makePlugins<Environment extends AdmissionEnvironment>(
  environment: Environment,
  { enable, disable }: PluginSelection,
  others: OtherPlugins<Environment>,
): AdmissionPlugin[] {
  return PLUGINS.flatMap(({ name, onByDefault, make = entryOf(others, name) }) => {
    const isOn = enable.includes(name) || (onByDefault && !disable.includes(name))
    return isOn && make ? make(environment) : []
  })
}
