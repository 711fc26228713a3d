/**
 * Validates the status of claims of versions after v1alpha3. See k8s.io/kubernetes,
 * pkg/apis/resource/validation.
 */

import { equalJson, type Json, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { StrategyEngine } from '../../registry/strategy'
import { addressFamily, canonicalAddress, cidrFamily } from '../../validation/addresses'
import { conditionErrors, type StatusCondition } from '../../validation/conditions'
import {
  forbiddenField,
  invalidValue,
  notSupported,
  overlong,
  required,
  tooMany,
} from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { driverNameErrors } from '../../validation/volumes'
import type { NodeSelector } from '../core/pod-types'
import { nodeSelectorErrors } from '../core/pod-validation/affinity'
import { type ClaimSpec, type Configuration, LONGEST } from './device-claim'
import { addConfiguration, addReferences, referenceErrors, requestNames } from './device-requests'
import { Findings } from './findings'
import { addBindingErrors } from './later-devices'
import { skipErrors } from './later-slices'
import { labelNameErrors, poolNameErrors } from './names'
import { addParameterErrors } from './opaque-parameters'
import { addTolerationErrors, type DeviceToleration } from './taints'

interface Identity {
  driver?: string
  pool?: string
  device?: string
  shareID?: string
}

interface Result extends Identity {
  request?: string
  tolerations?: DeviceToleration[]
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  skipNodeOperations?: string[]
}

interface DeviceStatus extends Identity {
  conditions?: StatusCondition[] | null
  data?: unknown
  networkData?: { interfaceName?: string; hardwareAddress?: string; ips?: string[] }
}

interface Allocation {
  devices?: { results?: Result[]; config?: (Configuration & { source?: string })[] }
  nodeSelector?: NodeSelector
}

interface Consumer {
  resource?: string
  name?: string
  uid?: string
}

interface Claim extends KubeObject {
  spec?: ClaimSpec
  status?: { allocation?: Allocation; reservedFor?: Consumer[]; devices?: DeviceStatus[] }
}

const MOST_CONSUMERS = 256
const MOST_CONDITIONS = 8
const MOST_ADDRESSES = 16
const LONGEST_INTERFACE = 256
const LONGEST_HARDWARE_ADDRESS = 128
const SOURCES = ['FromClaim', 'FromClass']

export function laterClaimStatusErrors(
  engine: StrategyEngine,
  { metadata, spec, status = {} }: Claim,
  { status: before = {} }: Claim,
): FieldError[] {
  const { allocation, reservedFor = [], devices } = status
  const findings = new Findings(engine)
  findings.addList(reservedFor, 'status.reservedFor', {
    longest: MOST_CONSUMERS,
    item: (consumer, path) => findings.add(...consumerErrors(consumer, path)),
    key: ({ uid = '' }) => uid,
    shown: (consumer) => (findings.separatesTags ? consumer : consumer.uid),
    isTagged: true,
  })
  const allocated = new Set((allocation?.devices?.results ?? []).map(identityOf))
  findings.addList(devices, 'status.devices', {
    item: (device, path) => addDevice(findings, device, allocated, path),
    key: identityOf,
    shown: (device) => device,
    isTagged: true,
  })
  findings.add(...reservationErrors(status, before, metadata.deletionTimestamp !== undefined))
  const path = 'status.allocation'
  if (allocation && before.allocation) {
    if (!equalJson(allocation as Json, before.allocation as Json))
      findings.addTagged(
        findings.separatesTags
          ? invalidValue(path, undefined, 'field cannot be modified once set')
          : invalidStructure(
              path,
              'resource.v1alpha3.AllocationResult',
              allocation,
              'field is immutable',
            ),
      )
  } else if (allocation)
    addAllocation(findings, allocation, requestNames(spec?.devices?.requests ?? []), path)
  return findings.all
}

const consumerErrors = ({ resource, name, uid }: Consumer, path: string): FieldError[] => [
  ...(resource ? [] : [required(`${path}.resource`)]),
  ...(name ? [] : [required(`${path}.name`)]),
  ...(uid ? [] : [required(`${path}.uid`)]),
]

/** `driver/pool/device`, plus a share. */
const identityOf = ({ driver = '', pool = '', device = '', shareID }: Identity): string =>
  [driver, pool, device, ...(shareID === undefined ? [] : [shareID])].join('/')

function reservationErrors(
  { allocation, reservedFor = [] }: NonNullable<Claim['status']>,
  { reservedFor: before = [] }: NonNullable<Claim['status']>,
  isDeleted: boolean,
): FieldError[] {
  const field = 'status.reservedFor'
  if (reservedFor.length === 0) return []
  if (!allocation)
    return [forbiddenField(field, 'may not be specified when `allocated` is not set')]
  const known = new Set(before.map(({ uid }) => uid))
  if (!isDeleted || reservedFor.every(({ uid }) => known.has(uid))) return []
  const why =
    'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'
  return [forbiddenField(field, why)]
}

function addAllocation(
  findings: Findings,
  { devices = {}, nodeSelector }: Allocation,
  names: Set<string>,
  path: string,
): void {
  findings.addList(devices.results, `${path}.devices.results`, {
    longest: LONGEST,
    item: (result, at) => addResult(findings, result, names, at),
    isTagged: true,
  })
  findings.addList(devices.config, `${path}.devices.config`, {
    longest: 2 * LONGEST,
    item(one, at) {
      const { source = '' } = one
      if (source === '') findings.addTagged(required(`${at}.source`))
      else if (!SOURCES.includes(source))
        findings.addTagged(notSupported(`${at}.source`, source, SOURCES))
      addReferences(findings, one.requests, names, `${at}.requests`)
      addConfiguration(findings, one, at)
    },
    isTagged: true,
  })
  if (nodeSelector) findings.add(...nodeSelectorErrors(nodeSelector, `${path}.nodeSelector`))
}

function addResult(findings: Findings, result: Result, names: Set<string>, path: string): void {
  findings.add(...referenceErrors(result.request ?? '', names, `${path}.request`))
  findings.addTagged(
    ...driverNameErrors(`${path}.driver`, result.driver),
    ...poolNameErrors(`${path}.pool`, result.pool ?? ''),
  )
  findings.add(...labelNameErrors(`${path}.device`, result.device ?? ''))
  addBindingErrors(findings, result, path)
  for (const [i, toleration] of (result.tolerations ?? []).entries())
    addTolerationErrors(findings, toleration, `${path}.tolerations[${i}]`)
  findings.addTagged(...shareErrors(result.shareID, `${path}.shareID`))
  findings.add(...skipErrors(result.skipNodeOperations, `${path}.skipNodeOperations`))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UUID_TEXT =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters'

/** @param share UUID */
function shareErrors(share: string | undefined, field: string): FieldError[] {
  if (share === undefined || UUID.test(share)) return []
  const problem = [32, 36, 38, 45].includes(share.length)
    ? 'invalid UUID format'
    : `invalid UUID length: ${share.length}`
  const why = UUID.test(share.toLowerCase()) ? UUID_TEXT : `error validating uid: ${problem}`
  return [invalidValue(field, share, why)]
}

function addDevice(
  findings: Findings,
  device: DeviceStatus,
  allocated: Set<string>,
  path: string,
): void {
  findings.add(
    ...driverNameErrors(`${path}.driver`, device.driver),
    ...poolNameErrors(`${path}.pool`, device.pool ?? ''),
    ...labelNameErrors(`${path}.device`, device.device ?? ''),
  )
  findings.addTagged(...shareErrors(device.shareID, `${path}.shareID`))
  const id = identityOf(device)
  if (!allocated.has(id))
    findings.add(invalidValue(path, id, 'must be an allocated device in the claim'))
  const field = `${path}.conditions`
  const { data } = device
  // The member is always written.
  const conditions = device.conditions ?? []
  if (conditions.length > MOST_CONDITIONS)
    findings.add(tooMany(field, conditions.length, MOST_CONDITIONS))
  findings.add(...conditionErrors(conditions, field))
  if (data !== undefined) addParameterErrors(findings, data, `${path}.data`)
  addNetwork(findings, device.networkData, `${path}.networkData`)
}

function addNetwork(findings: Findings, network: DeviceStatus['networkData'], path: string): void {
  if (!network) return
  const { interfaceName = '', hardwareAddress = '', ips } = network
  if (interfaceName.length > LONGEST_INTERFACE)
    findings.addTagged(overlong(`${path}.interfaceName`, LONGEST_INTERFACE))
  if (hardwareAddress.length > LONGEST_HARDWARE_ADDRESS)
    findings.addTagged(overlong(`${path}.hardwareAddress`, LONGEST_HARDWARE_ADDRESS))
  findings.addList(ips, `${path}.ips`, {
    longest: MOST_ADDRESSES,
    item: (address, field) => findings.add(...interfaceAddressErrors(address, field)),
    key: (address) => address,
    isTagged: true,
  })
}

const NO_ADDRESS = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)'

/** With prefix length. */
function interfaceAddressErrors(text: string, field: string): FieldError[] {
  const [address = '', length] = text.split('/')
  if (cidrFamily(text) === undefined || addressFamily(address) === undefined)
    return [invalidValue(field, text, NO_ADDRESS)]
  const canonical = `${canonicalAddress(address)}/${Number(length)}`
  return canonical === text
    ? []
    : [invalidValue(field, text, `must be in canonical form ("${canonical}")`)]
}
