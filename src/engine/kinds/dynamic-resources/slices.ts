/** Rules of ResourceSlices. Recorded from kube-apiserver 1.31. */

import { timestamp } from '../../core/environment'
import { append } from '../../core/lists'
import { entryOf, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { dropGatedPaths } from '../../registry/gated-paths'
import type { Strategy } from '../../registry/strategy'
import { isExplicitEmpty } from '../../schema/explicit-empties'
import { invalidValue, overlong, required } from '../../validation/field-errors'
import { invalidStructure, invalidStructures } from '../../validation/go-literal'
import { dnsSubdomainProblems } from '../../validation/names'
import { setErrors } from '../../validation/sets'
import { parseVersion } from '../../validation/versions'
import { driverNameErrors } from '../../validation/volumes'
import type { NodeSelector } from '../core/pod-types'
import { nodeSelectorErrors } from '../core/pod-validation/affinity'
import { GATED_IN_SLICES } from './gated-members'
import { type SliceSpec, sliceErrors } from './later-slices'
import { labelNameErrors, poolNameErrors, qualifiedErrors } from './names'
import { stampTaint } from './taints'

interface Attribute {
  int?: number
  bool?: boolean
  string?: string
  version?: string
}

interface Device {
  name?: string
  basic?: { attributes?: Record<string, Attribute>; capacity?: Record<string, string> }
}

interface Spec {
  driver?: string
  pool?: { name?: string; generation?: number; resourceSliceCount?: number }
  nodeName?: string
  nodeSelector?: NodeSelector
  allNodes?: boolean
  devices?: Device[]
}

const specOf = (object: KubeObject): Spec => (object.spec ?? {}) as Spec
const MOST_DEVICES = 128

export const resourceSliceStrategy: Strategy = {
  generationFields: ['spec'],
  prepareForCreate(object, { engine, clock }) {
    dropGatedPaths(engine.featureGates, GATED_IN_SLICES, object)
    stampTaints(object, timestamp(clock.now()))
  },
  prepareForUpdate(object, old, { engine, clock }) {
    dropGatedPaths(engine.featureGates, GATED_IN_SLICES, object, old)
    stampTaints(object, timestamp(clock.now()))
  },
  validate: (object, { engine }, old) =>
    engine.tables.changes.has('DeviceRequestKinds')
      ? sliceErrors(engine, object, old)
      : specErrors(specOf(object)),
  validateUpdate(object, old, { engine }) {
    if (engine.tables.changes.has('DeviceRequestKinds')) return []
    const [spec, before] = [specOf(object), specOf(old)]
    const fixed: [field: string, now: string | undefined, before: string | undefined][] = [
      ['spec.driver', spec.driver, before.driver],
      ['spec.pool.name', spec.pool?.name, before.pool?.name],
      ['spec.nodeName', spec.nodeName, before.nodeName],
    ]
    return fixed.flatMap(([field, now, then]) =>
      (now ?? '') === (then ?? '') ? [] : [invalidValue(field, now ?? '', 'field is immutable')],
    )
  },
}

function stampTaints(object: KubeObject, now: string): void {
  const { devices } = (object.spec ?? {}) as SliceSpec
  for (const { taints } of devices ?? []) for (const taint of taints ?? []) stampTaint(taint, now)
}

function specErrors(spec: Spec): FieldError[] {
  const { driver, pool = {}, devices } = spec
  const { name = '', resourceSliceCount: count = 0, generation = 0 } = pool
  return [
    ...driverNameErrors('spec.driver', driver),
    ...poolNameErrors('spec.pool.name', name),
    ...(count > 0
      ? []
      : [invalidValue('spec.pool.resourceSliceCount', count, 'must be greater than zero')]),
    ...(generation < 0
      ? [invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero')]
      : []),
    ...placeErrors(spec),
    ...setErrors(devices, 'spec.devices', {
      longest: MOST_DEVICES,
      errors: deviceErrors,
      key: (device) => device.name ?? '',
      member: 'name',
    }),
  ]
}

const ONE_PLACE = 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required'

function placeErrors(spec: Spec): FieldError[] {
  const { nodeName = '', nodeSelector, allNodes } = spec
  const errors =
    nodeName === ''
      ? []
      : dnsSubdomainProblems(nodeName).map((problem) =>
          invalidValue('spec.nodeName', nodeName, problem),
        )
  if (nodeSelector) append(errors, selectorErrors(nodeSelector))
  const places = [nodeName !== '', nodeSelector !== undefined, allNodes === true].filter(
    Boolean,
  ).length
  if (places === 0) errors.push(required('spec', ONE_PLACE))
  if (places > 1)
    errors.push(invalidStructure('spec', 'resource.v1alpha3.ResourceSliceSpec', spec, ONE_PLACE))
  return errors
}

/** All devices have the same nodes. */
function selectorErrors(selector: NodeSelector): FieldError[] {
  const field = 'spec.nodeSelector'
  const { nodeSelectorTerms: terms } = selector
  const given = terms ?? (isExplicitEmpty(selector, 'nodeSelectorTerms') ? [] : undefined)
  return [
    ...nodeSelectorErrors(selector, field),
    ...(terms?.length === 1
      ? []
      : [
          invalidStructures(
            `${field}.nodeSelectorTerms`,
            'NodeSelectorTerm',
            given,
            'must have exactly one selector term',
          ),
        ]),
  ]
}

const MOST_PROPERTIES = 32

function deviceErrors({ name = '', basic }: Device, path: string): FieldError[] {
  const errors = labelNameErrors(`${path}.name`, name)
  if (!basic) return [...errors, required(`${path}.basic`)]
  const { attributes = {}, capacity = {} } = basic
  const at = `${path}.basic`
  const properties = Object.keys(attributes).length + Object.keys(capacity).length
  if (properties > MOST_PROPERTIES) {
    errors.push(
      invalidValue(
        at,
        properties,
        `the total number of attributes and capacities must not exceed ${MOST_PROPERTIES}`,
      ),
    )
  }
  return [
    ...errors,
    ...Object.keys(attributes)
      .sort()
      .flatMap((key) => [
        ...qualifiedErrors(`${at}.attributes`, key),
        ...attributeErrors(entryOf(attributes, key) ?? {}, `${at}.attributes[${key}]`),
      ]),
    ...Object.keys(capacity)
      .sort()
      .flatMap((key) => qualifiedErrors(`${at}.capacity`, key)),
  ]
}

const LONGEST_VALUE = 64

function attributeErrors(attribute: Attribute, path: string): FieldError[] {
  const { string: text, version } = attribute
  const errors: FieldError[] = []
  if (text !== undefined && text.length > LONGEST_VALUE)
    errors.push(overlong(`${path}.string`, LONGEST_VALUE))
  if (version !== undefined) {
    if (parseVersion(version) === undefined)
      errors.push(
        invalidValue(
          `${path}.version`,
          version,
          'must be a string compatible with semver.org spec 2.0.0',
        ),
      )
    if (version.length > LONGEST_VALUE) errors.push(overlong(`${path}.version`, LONGEST_VALUE))
  }
  const given = Object.keys(attribute).length
  if (given === 0) errors.push(required(path, 'exactly one value must be specified'))
  if (given > 1)
    errors.push(
      invalidStructure(
        path,
        'resource.v1alpha3.DeviceAttribute',
        attribute,
        'exactly one field must be specified',
      ),
    )
  return errors
}
