/**
 * In-tree volume plugins: the CSI drivers that replaced them, and the errors of the others.
 * Recorded from kube-controller-manager 1.31.
 */

import type { PersistentVolume, PersistentVolumeSpec } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import type { Stored } from '../runtime/stored'

/** Prefix of in-tree plugins; other provisioners are external. */
const IN_TREE = 'kubernetes.io/'

/** Volume sources migrated to CSI: the in-tree plugin and its CSI driver. */
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

/** In-tree plugins that are left, and the error of provisioning with them. */
const NO_MAKERS: Record<string, string> = {
  'kubernetes.io/host-path':
    'Failed to create provisioner: provisioning in volume plugin "kubernetes.io/host-path" is disabled',
  'kubernetes.io/nfs': 'no provisionable volume plugin matched',
}
/**
 * kube-controller-manager annotates claims of this plugin before it finds provisioning disabled.
 */
const MARKED = 'kubernetes.io/host-path'

/** @returns the CSI driver that replaced a plugin, if any */
export const driverOf = (plugin: string | undefined): string | undefined =>
  plugin === undefined ? undefined : DRIVERS.get(plugin)

/** @returns the in-tree plugin of a volume's source and its CSI driver, if it is migrated */
export function migrationOf({
  spec,
}: Stored<PersistentVolume>): [plugin: string, driver: string] | undefined {
  return Object.entries(MIGRATED).find(([source]) => source in (spec ?? {}))?.[1]
}

/**
 * Finds the provisioner for a claim.
 * @returns maker: the provisioner to write to the claim; problem: why no volume is provisioned
 */
export function makerOf(provisioner: string): { maker?: string; problem?: string } {
  const driver = driverOf(provisioner)
  if (driver !== undefined) return { maker: driver }
  if (!provisioner.startsWith(IN_TREE)) return { maker: provisioner }
  const problem = entryOf(NO_MAKERS, provisioner) ?? `no volume plugin matched name: ${provisioner}`
  return provisioner === MARKED ? { maker: provisioner, problem } : { problem }
}

/**
 * Decides how a released volume with reclaim policy Delete is deleted.
 * @param provisioner value of the annotation of the volume
 * @returns elsewhere: the provisioner or CSI driver deletes it; delete: the object is deleted, as
 * nothing is stored; problem: why it cannot be deleted
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
