/**
 * Validates devices of versions after v1alpha3. See k8s.io/kubernetes,
 * pkg/apis/resource/validation.
 */

import { entryOf, equalJson, type Json } from '../../core/object'
import type { FieldError } from '../../http/status'
import { duplicate, invalidValue, overlong, required, tooMany } from '../../validation/field-errors'
import { invalidStructure, invalidTypedList } from '../../validation/go-literal'
import { parseVersion } from '../../validation/versions'
import type { NodeSelector } from '../core/pod-types'
import { nodeSelectorErrors } from '../core/pod-validation/affinity'
import { type DeviceCapacity, policyErrors } from './capacity-policies'
import type { Findings } from './findings'
import { labelNameErrors, laterQualifiedErrors, subdomainErrors } from './names'
import { addTaintErrors, type DeviceTaint, labelKeyErrors } from './taints'

export interface DeviceAttribute {
  int?: number
  bool?: boolean
  string?: string
  version?: string
  ints?: number[]
  bools?: boolean[]
  strings?: string[]
  versions?: string[]
}

type Counters = Record<string, { value?: string }>

export interface CounterSet {
  name?: string
  counters?: Counters
}

export interface Device {
  name?: string
  basic?: Device
  attributes?: Record<string, DeviceAttribute>
  capacity?: Record<string, DeviceCapacity>
  consumesCounters?: { counterSet?: string; counters?: Counters }[]
  nodeName?: string
  nodeSelector?: NodeSelector
  allNodes?: boolean
  taints?: DeviceTaint[]
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  allowMultipleAllocations?: boolean
}

const MOST_PROPERTIES = 32
const MOST_VALUES = 48
const LONGEST_VALUE = 64
/** Domain, slash, identifier. */
const LONGEST_KEY = 63 + 1 + 32
const MOST_TAINTS = 16
const MOST_CONSUMPTIONS = 2
const MOST_COUNTERS = 32
const MOST_CONDITIONS = 4

interface Around {
  /** Of the same name. */
  old: Device | undefined
  /** Each device names its nodes. */
  selectsNodes: boolean
}

export function addDeviceErrors(
  findings: Findings,
  device: Device,
  path: string,
  { old, selectsNodes }: Around,
): void {
  const { attributes = {}, capacity = {} } = device
  findings.add(
    ...labelNameErrors(`${path}.name`, device.name ?? ''),
    ...countErrors(attributes, capacity, path),
  )
  addAttributes(findings, attributes, `${path}.attributes`)
  if (!equalJson(old?.capacity as Json, device.capacity as Json))
    findings.add(...capacityErrors(device, `${path}.capacity`, findings))
  if (!equalJson(old?.taints as Json, device.taints as Json))
    findings.addList(device.taints, `${path}.taints`, {
      longest: MOST_TAINTS,
      item: (taint, at) => addTaintErrors(findings, taint, at),
    })
  findings.addList(device.consumesCounters, `${path}.consumesCounters`, {
    longest: MOST_CONSUMPTIONS,
    item: ({ counterSet, counters }, at) =>
      addCounterErrors(findings, at, { member: 'counterSet', name: counterSet, counters }),
    key: ({ counterSet = '' }) => counterSet,
    shown: (consumption) => consumption,
    isTagged: true,
  })
  findings.add(...(selectsNodes ? nodeErrors(device, path) : strayNodeErrors(device, path)))
  addBindingErrors(findings, device, path)
}

const listOf = ({ bools, ints, strings, versions }: DeviceAttribute): readonly unknown[] =>
  [bools, ints, strings, versions].flatMap((list): unknown[] => list ?? [])

function countErrors(
  attributes: Record<string, DeviceAttribute>,
  capacity: Record<string, DeviceCapacity>,
  path: string,
): FieldError[] {
  const properties = Object.keys(attributes).length + Object.keys(capacity).length
  let values = 0
  for (const attribute of Object.values(attributes)) values += listOf(attribute).length || 1
  const atMost = (count: number, most: number, what: string) =>
    count > most
      ? [invalidValue(path, count, `the total number of ${what} must not exceed ${most}`)]
      : []
  return [
    ...atMost(properties, MOST_PROPERTIES, 'attributes and capacities'),
    ...atMost(values, MOST_VALUES, 'attribute values'),
  ]
}

function shortened(key: string, longest: number): string {
  if (key.length <= longest) return key
  const rest = longest - 3
  return `${key.slice(0, Math.floor((rest + 1) / 2))}...${key.slice(key.length - Math.floor(rest / 2))}`
}

function addAttributes(
  findings: Findings,
  attributes: Record<string, DeviceAttribute>,
  path: string,
): void {
  for (const key of Object.keys(attributes).sort()) {
    findings.add(...laterQualifiedErrors(path, key))
    const at = `${path}[${shortened(key, LONGEST_KEY)}]`
    addAttribute(findings, entryOf(attributes, key) ?? {}, at)
  }
}

const longErrors = (field: string, value: string): FieldError[] =>
  value.length > LONGEST_VALUE ? [overlong(field, LONGEST_VALUE)] : []

const versionErrors = (field: string, version: string): FieldError[] => [
  ...(parseVersion(version) === undefined
    ? [invalidValue(field, version, 'must be a string compatible with semver.org spec 2.0.0')]
    : []),
  ...longErrors(field, version),
]

const ONE_VALUE = 'exactly one value must be specified'
const KINDS = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'] as const

function addAttribute(findings: Findings, attribute: DeviceAttribute, path: string): void {
  const { string: text, version } = attribute
  if (text !== undefined) findings.add(...longErrors(`${path}.string`, text))
  if (version !== undefined) findings.add(...versionErrors(`${path}.version`, version))
  for (const [i, item] of (attribute.strings ?? []).entries())
    findings.addTagged(...longErrors(`${path}.strings[${i}]`, item))
  for (const [i, item] of (attribute.versions ?? []).entries())
    findings.add(...versionErrors(`${path}.versions[${i}]`, item))
  const given = KINDS.filter((kind) => attribute[kind] !== undefined)
  if (given.length === 1) return
  if (findings.separatesTags) {
    const all = KINDS.map((kind) => `\`${kind}\``).join(', ')
    findings.addTagged(
      given.length === 0
        ? invalidValue(path, '', `must specify one of: ${all}`)
        : invalidValue(path, `{${given.join(', ')}}`, `must specify exactly one of: ${all}`),
    )
  } else
    findings.add(
      given.length === 0
        ? required(path, ONE_VALUE)
        : invalidStructure(path, 'resource.v1alpha3.DeviceAttribute', attribute, ONE_VALUE),
    )
}

function capacityErrors(
  { capacity = {}, allowMultipleAllocations }: Device,
  path: string,
  findings: Findings,
): FieldError[] {
  return Object.keys(capacity)
    .sort()
    .flatMap((key) => {
      const one = entryOf(capacity, key) ?? {}
      const at = `${path}[${shortened(key, LONGEST_KEY)}].requestPolicy`
      if (one.requestPolicy === undefined) return laterQualifiedErrors(path, key)
      return [
        ...laterQualifiedErrors(path, key),
        ...(allowMultipleAllocations
          ? policyErrors(one, at, findings.featureGates.DRAFractionalCapacityRange === true)
          : [
              {
                field: at,
                reason: 'FieldValueForbidden',
                detail: 'Forbidden: allowMultipleAllocations must be true',
              },
            ]),
      ]
    })
}

export function addCounterErrors(
  findings: Findings,
  path: string,
  {
    member,
    name = '',
    counters = {},
  }: { member: string; name?: string | undefined; counters?: Counters | undefined },
): void {
  const field = `${path}.${member}`
  findings.addTagged(...(name === '' ? [required(field)] : labelNameErrors(field, name)))
  const keys = Object.keys(counters)
  const at = `${path}.counters`
  if (keys.length === 0) findings.addTagged(required(at))
  else if (keys.length > MOST_COUNTERS) findings.add(tooMany(at, keys.length, MOST_COUNTERS))
  else for (const key of keys.sort()) findings.addTagged(...labelNameErrors(at, key))
}

const ONE_PLACE =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
const NO_PLACE =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec'

function nodeErrors({ nodeName, nodeSelector, allNodes }: Device, path: string): FieldError[] {
  const places = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector ? ['`nodeSelector`'] : []),
    ...(allNodes ? ['`allNodes`'] : []),
  ]
  const field = `${path}.nodeName`
  return [
    ...(nodeName === '' ? [invalidValue(field, nodeName, 'must not be empty')] : []),
    ...(nodeName ? subdomainErrors(field, nodeName) : []),
    ...(nodeSelector ? nodeSelectorErrors(nodeSelector, `${path}.nodeSelector`) : []),
    ...(allNodes === false
      ? [invalidValue(`${path}.allNodes`, false, 'must be either unset or set to true')]
      : []),
    ...(places.length === 0 ? [required(path, ONE_PLACE)] : []),
    ...(places.length > 1 ? [invalidValue(path, `{${places.join(', ')}}`, ONE_PLACE)] : []),
  ]
}

const strayNodeErrors = (
  { nodeName, nodeSelector, allNodes }: Device,
  path: string,
): FieldError[] =>
  [nodeName, nodeSelector, allNodes].some((place) => place !== undefined)
    ? [invalidValue(path, undefined, NO_PLACE)]
    : []

/** KEP-5007. */
export function addBindingErrors(
  findings: Findings,
  { bindingConditions, bindingFailureConditions }: Device,
  path: string,
): void {
  const [needed, failed] = [bindingConditions ?? [], bindingFailureConditions ?? []]
  const fields = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`] as const
  const [ofNeeded, ofFailed] = fields
  for (const [list, field] of [
    [needed, ofNeeded],
    [failed, ofFailed],
  ] as const)
    findings.addList(list, field, {
      longest: MOST_CONDITIONS,
      item: (name, at) => findings.add(...labelKeyErrors(at, name)),
      isTagged: true,
    })
  findings.add(...repeats(needed, ofNeeded))
  const known = new Set<string>()
  for (const [i, name] of failed.entries()) {
    const field = `${ofFailed}[${i}]`
    if (known.has(name)) findings.add(duplicate(field, name))
    known.add(name)
    if (needed.includes(name))
      findings.add(
        invalidValue(
          field,
          name,
          'bindingFailureConditions must not overlap with bindingConditions',
        ),
      )
  }
  if (needed.length === 0 && failed.length > 0)
    findings.add(
      invalidTypedList(
        ofNeeded,
        'string',
        bindingConditions,
        'bindingConditions are required to use bindingFailureConditions',
      ),
    )
  if (failed.length === 0 && needed.length > 0)
    findings.add(
      invalidTypedList(
        ofFailed,
        'string',
        bindingFailureConditions,
        'bindingFailureConditions are required to use bindingConditions',
      ),
    )
}

function repeats(names: readonly string[], path: string): FieldError[] {
  const known = new Set<string>()
  return names.flatMap((name, i) => {
    const isKnown = known.has(name)
    known.add(name)
    return isKnown ? [duplicate(`${path}[${i}]`, name)] : []
  })
}
