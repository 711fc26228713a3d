/** Which plugins for volumes the real controller has, what they do when asked, and which drivers took over from them (recorded). */

import type { PersistentVolume, PersistentVolumeSpec } from 'kubernetes-types/core/v1'
import { entryOf } from '../../object'
import type { Stored } from '../runtime/stored'

/** Names of plugins begin so; everything else that makes volumes is outside. */
const IN_TREE = 'kubernetes.io/'

/** Sources that drivers took over: the plugin that there was, and the driver in its place. */
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

/** The plugins that are left, and why they make nothing. */
const NO_MAKERS: Record<string, string> = {
  'kubernetes.io/host-path':
    'Failed to create provisioner: provisioning in volume plugin "kubernetes.io/host-path" is disabled',
  'kubernetes.io/nfs': 'no provisionable volume plugin matched',
}
/** The one that is found able before it is found disabled: its claims are marked all the same. */
const MARKED = 'kubernetes.io/host-path'

/** @returns the driver that took over from a plugin; undefined: none did */
export const driverOf = (plugin: string | undefined): string | undefined =>
  plugin === undefined ? undefined : DRIVERS.get(plugin)

/** @returns the plugin behind a volume's source and the driver that took over from it; undefined: none did */
export function migrationOf({
  spec,
}: Stored<PersistentVolume>): [plugin: string, driver: string] | undefined {
  return Object.entries(MIGRATED).find(([source]) => source in (spec ?? {}))?.[1]
}

/**
 * Who is to make a claim's volume.
 * @returns maker: whose name the claim gets; problem: why nobody will
 */
export function makerOf(provisioner: string): { maker?: string; problem?: string } {
  const driver = driverOf(provisioner)
  if (driver !== undefined) return { maker: driver }
  if (!provisioner.startsWith(IN_TREE)) return { maker: provisioner }
  const problem = entryOf(NO_MAKERS, provisioner) ?? `no volume plugin matched name: ${provisioner}`
  return provisioner === MARKED ? { maker: provisioner, problem } : { problem }
}

/**
 * What becomes of a released volume that is to be deleted.
 * @param provisioner who made it, by its annotation
 * @returns elsewhere: who made it, or its driver, deletes it; delete: it goes, as there is nothing behind it here; else why it stays
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
