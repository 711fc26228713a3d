/** Finds the plugin that a volume belongs to. Recorded from kube-controller-manager 1.31. */

import type { PersistentVolume, PersistentVolumeSpec } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import type { Stored } from '../runtime/stored'

/** Other provisioners are external. */
const IN_TREE = 'kubernetes.io/'

/** Plugins migrated to CSI, and their drivers. */
const MIGRATED: Partial<Record<keyof PersistentVolumeSpec, [plugin: string, driver: string]>> = {
  awsElasticBlockStore: ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  azureDisk: ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  azureFile: ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  cinder: ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  gcePersistentDisk: ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  portworxVolume: ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  vsphereVolume: ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
}
const DRIVERS = new Map(Object.values(MIGRATED))

/** Other plugins, with their provisioning errors. */
const NO_MAKERS: Record<string, string> = {
  'kubernetes.io/host-path':
    'Failed to create provisioner: provisioning in volume plugin "kubernetes.io/host-path" is disabled',
  'kubernetes.io/nfs': 'no provisionable volume plugin matched',
}
/** kube-controller-manager annotates claims before it finds provisioning disabled. */
const MARKED = 'kubernetes.io/host-path'

export const driverOf = (plugin: string | undefined): string | undefined =>
  plugin === undefined ? undefined : DRIVERS.get(plugin)

/** @returns undefined if not migrated */
export function migrationOf({
  spec,
}: Stored<PersistentVolume>): [plugin: string, driver: string] | undefined {
  return Object.entries(MIGRATED).find(([source]) => source in (spec ?? {}))?.[1]
}

/** `maker`: written to the claim; `problem`: why nothing is provisioned. */
export function makerOf(provisioner: string): { maker?: string; problem?: string } {
  const driver = driverOf(provisioner)
  if (driver !== undefined) return { maker: driver }
  if (!provisioner.startsWith(IN_TREE)) return { maker: provisioner }
  const problem = entryOf(NO_MAKERS, provisioner) ?? `no volume plugin matched name: ${provisioner}`
  return provisioner === MARKED ? { maker: provisioner, problem } : { problem }
}

/**
 * @param provisioner annotation of the volume
 * @returns elsewhere: provisioner or driver deletes it; delete: nothing is stored; problem: error
 */
export function removalOf(
  { metadata, spec }: Stored<PersistentVolume>,
  provisioner: string | undefined,
): 'elsewhere' | 'delete' | { problem: string } {
  if (spec?.csi || (provisioner && (!provisioner.startsWith(IN_TREE) || driverOf(provisioner))))
    return 'elsewhere'
  if (spec?.hostPath) {
    const { path } = spec.hostPath
    return /^\/tmp\/.+/.test(path)
      ? 'delete'
      : { problem: `host_path deleter only supports /tmp/.+ but received provided ${path}` }
  }
  const why = spec?.nfs ? 'no deletable volume plugin matched' : 'no volume plugin matched'
  return {
    problem: `error getting deleter volume plugin for volume ${JSON.stringify(metadata.name)}: ${why}`,
  }
}
