/** Validates volume mounts and devices. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import type { Changes } from '../../../release-tables/changes'
import {
  errorsOfItems,
  forbiddenField,
  invalidValue,
  notFoundField,
  notSupported,
  required,
} from '../../../validation/field-errors'
import { backstepErrors, descendingPathErrors } from '../../../validation/paths'
import type { Container, VolumeMount } from '../pod-types'
import type { KnownVolumes } from './volumes'

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None']
const RECURSIVE_READ_ONLY = ['Disabled', 'Enabled', 'IfPossible']

export function volumeMountErrors(
  container: Container,
  volumes: KnownVolumes,
  path: string,
  changes: Changes,
): FieldError[] {
  const devices = container.volumeDevices ?? []
  const used = new Set<string>()
  return errorsOfItems(container.volumeMounts, (mount, i) => {
    const at = `${path}[${i}]`
    const { name = '', mountPath = '' } = mount
    const errors: FieldError[] = []
    if (name === '') errors.push(required(`${at}.name`))
    if (!volumes.has(name)) errors.push(notFoundField(`${at}.name`, name))
    if (mountPath === '') errors.push(required(`${at}.mountPath`))
    if (used.has(mountPath))
      errors.push(invalidValue(`${at}.mountPath`, mountPath, 'must be unique'))
    used.add(mountPath)
    if (devices.some((device) => device.name === name))
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices'))
    if (devices.some((device) => device.devicePath === mountPath))
      errors.push(
        invalidValue(
          `${at}.mountPath`,
          mountPath,
          'must not already exist as a path in volumeDevices',
        ),
      )
    if (volumes.get(name)?.image !== undefined && !changes.has('ImagesMountedByPath'))
      append(errors, wholeImageErrors(mount, at))
    append(errors, mountOptionErrors(mount, container, at, path))
    return errors
  })
}

/** Image volumes have no sub-paths. */
function wholeImageErrors(mount: VolumeMount, at: string): FieldError[] {
  return (['subPath', 'subPathExpr'] as const).flatMap((member) =>
    mount[member]
      ? [invalidValue(`${at}.${member}`, mount[member], 'not allowed in image volume sources')]
      : [],
  )
}

/** @param path without index, as in kube-apiserver */
function mountOptionErrors(
  mount: VolumeMount,
  container: Container,
  at: string,
  path: string,
): FieldError[] {
  const { subPath = '', subPathExpr = '', mountPropagation: propagation } = mount
  const errors: FieldError[] = []
  if (subPath !== '') append(errors, descendingPathErrors(`${path}.subPath`, subPath))
  if (subPathExpr !== '') {
    if (subPath !== '')
      errors.push(
        invalidValue(
          `${at}.subPathExpr`,
          subPathExpr,
          'subPathExpr and subPath are mutually exclusive',
        ),
      )
    append(errors, descendingPathErrors(`${path}.subPathExpr`, subPathExpr))
  }
  if (propagation !== undefined) {
    if (!PROPAGATIONS.includes(propagation))
      errors.push(notSupported(`${path}.mountPropagation`, propagation, PROPAGATIONS))
    else if (propagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
      const why = 'Bidirectional mount propagation is available only to privileged containers'
      errors.push(forbiddenField(`${path}.mountPropagation`, why))
    }
  }
  append(errors, recursiveReadOnlyErrors(mount, `${path}.recursiveReadOnly`))
  return errors
}

function recursiveReadOnlyErrors(mount: VolumeMount, field: string): FieldError[] {
  const { recursiveReadOnly: mode, readOnly, mountPropagation = 'None' } = mount
  if (mode === undefined || mode === 'Disabled') return []
  if (!RECURSIVE_READ_ONLY.includes(mode)) return [notSupported(field, mode, RECURSIVE_READ_ONLY)]
  const errors: FieldError[] = []
  if (readOnly !== true)
    errors.push(forbiddenField(field, 'may only be specified when readOnly is true'))
  if (mountPropagation !== 'None')
    errors.push(
      forbiddenField(field, 'may only be specified when mountPropagation is None or not specified'),
    )
  return errors
}

export function volumeDeviceErrors(
  container: Container,
  volumes: KnownVolumes,
  path: string,
): FieldError[] {
  const mounts = container.volumeMounts ?? []
  const names = new Set<string>()
  const paths = new Set<string>()
  return errorsOfItems(container.volumeDevices, (device, i) => {
    const at = `${path}[${i}]`
    const { name = '', devicePath = '' } = device
    const errors: FieldError[] = []
    if (name === '') errors.push(required(`${at}.name`))
    if (names.has(name)) errors.push(invalidValue(`${at}.name`, name, 'must be unique'))
    const volume = volumes.get(name)
    if (volume === undefined) errors.push(notFoundField(`${at}.name`, name))
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
      errors.push(
        invalidValue(
          `${at}.name`,
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      )
    if (devicePath === '') errors.push(required(`${at}.devicePath`))
    if (paths.has(devicePath))
      errors.push(invalidValue(`${at}.devicePath`, devicePath, 'must be unique'))
    if (backstepErrors(`${at}.devicePath`, devicePath).length > 0)
      errors.push(invalidValue(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"))
    else paths.add(devicePath)
    if (mounts.some((mount) => mount.name === name))
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts'))
    if (mounts.some((mount) => mount.mountPath === devicePath))
      errors.push(
        invalidValue(
          `${at}.devicePath`,
          devicePath,
          'must not already exist as a path in volumeMounts',
        ),
      )
    if (name !== '') names.add(name)
    return errors
  })
}
