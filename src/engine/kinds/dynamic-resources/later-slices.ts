/**
 * Validates slices of versions after v1alpha3: k8s.io/kubernetes, pkg/apis/resource/validation;
 * KEP-4815.
 */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { StrategyEngine } from '../../registry/strategy'
import { isExplicitEmpty } from '../../schema/explicit-empties'
import { invalidValue, required } from '../../validation/field-errors'
import { invalidList, invalidStructures } from '../../validation/go-literal'
import { dnsSubdomainProblems } from '../../validation/names'
import { driverNameErrors } from '../../validation/volumes'
import type { NodeSelector } from '../core/pod-types'
import { nodeSelectorErrors } from '../core/pod-validation/affinity'
import { Findings } from './findings'
import { addCounterErrors, addDeviceErrors, type CounterSet, type Device } from './later-devices'
import { poolNameErrors } from './names'

export interface SliceSpec {
  driver?: string
  pool?: { name?: string; generation?: number; resourceSliceCount?: number }
  nodeName?: string
  nodeSelector?: NodeSelector
  allNodes?: boolean
  perDeviceNodeSelection?: boolean
  devices?: Device[]
  sharedCounters?: CounterSet[]
  skipNodeOperations?: string[]
}

const MOST_DEVICES = 128
/** If a device has taints, counters or lists of values. */
const MOST_COMPLEX_DEVICES = 64
const MOST_COUNTER_SETS = 8
const IMMUTABLE = 'field is immutable'

export function sliceErrors(
  engine: StrategyEngine,
  object: KubeObject,
  old: KubeObject | undefined,
): FieldError[] {
  const spec = (object.spec ?? {}) as SliceSpec
  const before = old && ((old.spec ?? {}) as SliceSpec)
  const findings = new Findings(engine)
  const devices = spec.devices?.map(flattened)
  const known = new Map(before?.devices?.map((device) => [device.name, flattened(device)]))
  findings.add(
    ...driverNameErrors('spec.driver', spec.driver),
    ...poolErrors(spec.pool ?? {}),
    ...(before ? fixedErrors(spec, before) : []),
    ...placeErrors(spec, 'spec'),
  )
  if (isGiven(spec, 'sharedCounters') && isGiven(spec, 'devices'))
    findings.add(invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed'))
  findings.addList(devices, 'spec.devices', {
    longest: devices?.some(isComplex) ? MOST_COMPLEX_DEVICES : MOST_DEVICES,
    item: (device, path) =>
      addDeviceErrors(findings, device, path, {
        old: known.get(device.name),
        selectsNodes: spec.perDeviceNodeSelection === true,
      }),
    key: ({ name = '' }) => name,
  })
  findings.addList(spec.sharedCounters, 'spec.sharedCounters', {
    longest: MOST_COUNTER_SETS,
    item: (set, path) =>
      addCounterErrors(findings, path, { member: 'name', name: set.name, counters: set.counters }),
    key: ({ name = '' }) => name,
    shown: (set) => set,
    isTagged: true,
  })
  findings.add(...skipErrors(spec.skipNodeOperations, 'spec.skipNodeOperations'))
  return findings.all
}

/** In v1beta1 `basic` has most members. */
const flattened = ({ basic, ...device }: Device): Device => ({ ...device, ...basic })

const isGiven = (spec: SliceSpec, member: 'devices' | 'sharedCounters'): boolean =>
  spec[member] !== undefined || isExplicitEmpty(spec, member)

const isComplex = ({ taints, consumesCounters, attributes = {} }: Device): boolean =>
  Boolean(taints?.length || consumesCounters?.length) ||
  Object.values(attributes).some(({ bools, ints, strings, versions }) =>
    [bools, ints, strings, versions].some((list) => list !== undefined),
  )

function poolErrors({
  name = '',
  resourceSliceCount: count = 0,
  generation = 0,
}: NonNullable<SliceSpec['pool']>): FieldError[] {
  const path = 'spec.pool'
  return [
    ...poolNameErrors(`${path}.name`, name),
    ...(count > 0
      ? []
      : [invalidValue(`${path}.resourceSliceCount`, count, 'must be greater than zero')]),
    ...(generation < 0
      ? [invalidValue(`${path}.generation`, generation, 'must be greater than or equal to zero')]
      : []),
  ]
}

function fixedErrors(spec: SliceSpec, old: SliceSpec): FieldError[] {
  const fixed = (field: string, now: string | null, before: string | null) =>
    now === before ? [] : [invalidValue(field, now, IMMUTABLE)]
  return [
    ...fixed('spec.pool.name', spec.pool?.name ?? '', old.pool?.name ?? ''),
    ...fixed('spec.driver', spec.driver ?? '', old.driver ?? ''),
    ...fixed('spec.nodeName', spec.nodeName ?? null, old.nodeName ?? null),
  ]
}

const ONE_PLACE =
  'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'

const nodeNameErrors = (field: string, name: string): FieldError[] =>
  dnsSubdomainProblems(name).map((problem) => invalidValue(field, name, problem))

const setOrAbsent = (field: string, flag: boolean | undefined): FieldError[] =>
  flag === false ? [invalidValue(field, false, 'must be either unset or set to true')] : []

function placeErrors(spec: SliceSpec, path: string): FieldError[] {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec
  const places = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector ? ['`nodeSelector`'] : []),
    ...(allNodes ? ['`allNodes`'] : []),
    ...(perDeviceNodeSelection ? ['`perDeviceNodeSelection`'] : []),
  ]
  const field = `${path}.nodeName`
  const ofName =
    nodeName === ''
      ? [invalidValue(field, nodeName, 'must be either unset or set to a non-empty string')]
      : nodeNameErrors(field, nodeName ?? 'unset')
  return [
    ...ofName,
    ...(nodeSelector ? selectorErrors(nodeSelector, `${path}.nodeSelector`) : []),
    ...setOrAbsent(`${path}.allNodes`, allNodes),
    ...setOrAbsent(`${path}.perDeviceNodeSelection`, perDeviceNodeSelection),
    ...(places.length === 0 ? [required(path, ONE_PLACE)] : []),
    ...(places.length > 1
      ? [invalidValue(path, `{${places.join(', ')}}`, `${ONE_PLACE}, but multiple fields are set`)]
      : []),
  ]
}

/** All devices have the same nodes. */
function selectorErrors(selector: NodeSelector, path: string): FieldError[] {
  const { nodeSelectorTerms: terms } = selector
  const given = terms ?? (isExplicitEmpty(selector, 'nodeSelectorTerms') ? [] : undefined)
  const why = 'must have exactly one node selector term'
  return [
    ...nodeSelectorErrors(selector, path),
    ...(terms?.length === 1
      ? []
      : [invalidStructures(`${path}.nodeSelectorTerms`, 'NodeSelectorTerm', given, why)]),
  ]
}

const PREPARE = 'NodePrepareResources'
const UNPREPARE = 'NodeUnprepareResources'

/** Skipping preparation requires skipping its reversal. */
export const skipErrors = (operations: string[] | undefined, field: string): FieldError[] =>
  operations?.includes(PREPARE) && !operations.includes(UNPREPARE) && !operations.includes('*')
    ? [
        invalidList(
          field,
          operations,
          `${PREPARE} cannot be skipped unless ${UNPREPARE} is also skipped`,
        ),
      ]
    : []
