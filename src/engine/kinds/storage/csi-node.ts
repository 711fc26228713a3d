/** Rules of CSINodes. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { repeatsIn } from '../../schema/repeats'
import { duplicate, invalidValue, required } from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { byteLength, qualifiedNameProblems } from '../../validation/names'
import { notNegative } from '../../validation/numbers'
import { driverNameErrors } from '../../validation/volumes'

interface Driver {
  name?: string
  nodeID?: string
  topologyKeys?: string[] | null
  allocatable?: { count?: number }
}

/** Absent keys equal empty ones. */
const sameDriver = (one: Driver, other: Driver): boolean =>
  equalJson(
    { ...one, topologyKeys: one.topologyKeys ?? [] },
    { ...other, topologyKeys: other.topologyKeys ?? [] },
  )

const driversOf = (object: KubeObject): Driver[] =>
  (object.spec as { drivers?: Driver[] } | undefined)?.drivers ?? []

export const csiNodeStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  validate(object) {
    const drivers = driversOf(object)
    const isRepeat = repeatsIn(drivers, ({ name }) => name)
    return drivers.flatMap((driver, i) => driverErrors(`spec.drivers[${i}]`, driver, isRepeat(i)))
  },
  validateUpdate(object, old) {
    const changed = driversOf(old).flatMap((before) =>
      driversOf(object).filter(
        (driver) => driver.name === before.name && !sameDriver(driver, before),
      ),
    )
    return changed.map((driver) =>
      invalidStructure('CSINodeDriver', 'storage.v1.CSINodeDriver', driver, 'field is immutable'),
    )
  },
}

const LONGEST_NODE = 256

function driverErrors(
  path: string,
  { name = '', nodeID = '', topologyKeys, allocatable }: Driver,
  isRepeat: boolean,
): FieldError[] {
  const errors = driverNameErrors(`${path}.name`, name)
  if (nodeID === '') errors.push(required(`${path}.nodeID`))
  if (byteLength(nodeID) > LONGEST_NODE)
    errors.push(
      invalidValue(`${path}.nodeID`, nodeID, `must be ${LONGEST_NODE} characters or less`),
    )
  append(errors, notNegative(`${path}.allocatable.count`, allocatable?.count))
  if (isRepeat) errors.push(duplicate(`${path}.name`, name))
  return [...errors, ...topologyErrors(path, topologyKeys ?? [])]
}

function topologyErrors(path: string, keys: string[]): FieldError[] {
  const isRepeat = repeatsIn(keys)
  return keys.flatMap((key, i) => [
    ...(key === '' ? [required(path)] : []),
    ...(isRepeat(i) ? [duplicate(path, key)] : []),
    ...qualifiedNameProblems(key).map((problem) => invalidValue(path, key, problem)),
  ])
}
