/** Rules of EndpointSlices. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { addressFieldErrors, addressFlaw } from '../../validation/address-problems'
import { addressFamily, specialAddressProblems } from '../../validation/addresses'
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../validation/field-errors'
import { fullDomainErrors } from '../../validation/hosts'
import { labelValueErrors } from '../../validation/label-selectors'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from '../../validation/names'

interface Endpoint {
  addresses?: string[] | null
  hostname?: string | null
  nodeName?: string | null
  deprecatedTopology?: Record<string, string> | null
  hints?: { forZones?: { name?: string }[] | null; forNodes?: { name?: string }[] | null } | null
}

interface Port {
  name?: string | null
  protocol?: string | null
  appProtocol?: string | null
}

interface EndpointSlice extends KubeObject {
  addressType?: string
  endpoints?: Endpoint[] | null
  ports?: Port[] | null
}

/** Without writable topology. */
const VERSION = 'discovery.k8s.io/v1'

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6']
const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const MAX_ENDPOINTS = 1000
const MAX_ADDRESSES = 100
const MAX_HINTS = 8
const MAX_PORTS = 20000

const each = (problems: readonly string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalidValue(field, value, problem))

export const endpointSliceStrategy: Strategy = {
  generationFields: ['addressType', 'metadata.labels'],
  defaults(object) {
    for (const port of (object as EndpointSlice).ports ?? []) {
      port.name ??= ''
      port.protocol ??= 'TCP'
    }
  },
  prepareForCreate(object, { apiVersion, engine }) {
    if (!engine.featureGates.TopologyAwareHints) dropHints(object)
    if (!engine.featureGates.PreferSameTrafficDistribution) dropNodeHints(object)
    if (apiVersion === VERSION) dropTopology(object)
  },
  prepareForUpdate(object, old, { apiVersion, engine }) {
    const [slice, before] = [object as EndpointSlice, old as EndpointSlice]
    // Absent equals empty. Sent topology is dropped, but counts as a change.
    const moved = !equalJson(slice.endpoints ?? [], before.endpoints ?? [])
    if (moved || !equalJson(slice.ports ?? [], before.ports ?? []))
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
    const hadHints = (before.endpoints ?? []).some(({ hints }) => hints)
    if (!engine.featureGates.TopologyAwareHints && !hadHints) dropHints(object)
    const hadNodes = before.endpoints?.some(({ hints }) => hints?.forNodes?.length)
    if (!engine.featureGates.PreferSameTrafficDistribution && !hadNodes) dropNodeHints(object)
    if (moved && apiVersion === VERSION) dropTopology(object)
  },
  validate(object, { engine }, old) {
    const { addressType = '', endpoints, ports } = object as EndpointSlice
    const checksOnce = engine.tables.changes.has('EndpointAddressesCheckedOnce')
    const before = checksOnce ? ((old as EndpointSlice | undefined)?.endpoints ?? []) : []
    const rules: AddressRules = {
      type: addressType,
      checksOnce,
      unchanged: new Set(before.flatMap(({ addresses }) => addresses ?? [])),
    }
    return [
      ...typeErrors(addressType),
      ...endpointsErrors(endpoints ?? [], rules),
      ...portsErrors(ports ?? []),
    ]
  },
  validateUpdate(object, old) {
    const [type, before] = [
      (object as EndpointSlice).addressType,
      (old as EndpointSlice).addressType,
    ]
    return type === before ? [] : [invalidValue('addressType', type, 'field is immutable')]
  },
  warningsOnCreate: (object) =>
    (object as EndpointSlice).addressType === 'FQDN'
      ? ['spec.addressType: FQDN endpoints are deprecated']
      : [],
}

function dropNodeHints(object: KubeObject): void {
  for (const { hints } of (object as EndpointSlice).endpoints ?? []) delete hints?.forNodes
}

function dropHints(object: KubeObject): void {
  for (const endpoint of (object as EndpointSlice).endpoints ?? []) delete endpoint.hints
}

/** Only older versions could write it. */
function dropTopology(object: KubeObject): void {
  for (const endpoint of (object as EndpointSlice).endpoints ?? [])
    delete endpoint.deprecatedTopology
}

function typeErrors(type: string): FieldError[] {
  if (type === '') return [required('addressType')]
  return ADDRESS_TYPES.includes(type) ? [] : [notSupported('addressType', type, ADDRESS_TYPES)]
}

interface AddressRules {
  type: string
  /** A wrong form or family has no further error. */
  checksOnce: boolean
  /** Stored ones stay valid. */
  unchanged: ReadonlySet<string>
}

function endpointsErrors(endpoints: Endpoint[], rules: AddressRules): FieldError[] {
  if (endpoints.length > MAX_ENDPOINTS)
    return [tooMany('endpoints', endpoints.length, MAX_ENDPOINTS)]
  return endpoints.flatMap((endpoint, i) => endpointErrors(endpoint, rules, `endpoints[${i}]`))
}

function endpointErrors(endpoint: Endpoint, rules: AddressRules, path: string): FieldError[] {
  const { addresses, hostname, nodeName, hints } = endpoint
  const given = addresses ?? []
  const errors: FieldError[] = []
  if (given.length === 0)
    errors.push(required(`${path}.addresses`, 'must contain at least 1 address'))
  else if (given.length > MAX_ADDRESSES)
    errors.push(tooMany(`${path}.addresses`, given.length, MAX_ADDRESSES))
  append(
    errors,
    given.flatMap((address, i) => addressErrors(address, rules, `${path}.addresses`, i)),
  )
  if (typeof nodeName === 'string')
    append(errors, each(dnsSubdomainProblems(nodeName), `${path}.nodeName`, nodeName))
  if (typeof hostname === 'string')
    append(errors, each(dnsLabelProblems(hostname), `${path}.hostname`, hostname))
  return [
    ...errors,
    ...hintErrors(hints?.forZones ?? [], `${path}.hints.forZones`, labelValueErrors),
    ...hintErrors(hints?.forNodes ?? [], `${path}.hints.forNodes`, (name, field) =>
      each(dnsSubdomainProblems(name), field, name),
    ),
  ]
}

function addressErrors(
  address: string,
  { type, checksOnce, unchanged }: AddressRules,
  path: string,
  index: number,
): FieldError[] {
  const field = `${path}[${index}]`
  if (type === 'FQDN') return fullDomainErrors(field, address)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const family = addressFamily(address)
  if (checksOnce) {
    if (unchanged.has(address)) return []
    const flaw = type === 'IPv6' ? addressFlaw(address) : undefined
    if (flaw !== undefined) return [invalidValue(field, address, flaw)]
    const unread = addressFieldErrors(field, address)
    if (family === undefined) return unread
    return [
      ...unread,
      // kube-apiserver prints the list's path.
      ...(family === type ? [] : [invalidValue(path, address, `must be an ${type} address`)]),
      ...each(specialAddressProblems(address), field, address),
    ]
  }
  const problems = family === type ? [] : [`must be a valid ${type} address`]
  // An invalid address fails both checks.
  return each(
    [...problems, ...(family ? specialAddressProblems(address) : ['must be a valid IP address'])],
    field,
    address,
  )
}

function hintErrors(
  places: { name?: string }[],
  path: string,
  nameErrors: (name: string, field: string) => readonly FieldError[],
): FieldError[] {
  if (places.length > MAX_HINTS) return [tooMany(path, places.length, MAX_HINTS)]
  const seen = new Set<string>()
  return places.flatMap(({ name = '' }, i) => {
    const field = `${path}[${i}].name`
    const repeated = seen.has(name) ? [duplicate(field, name)] : []
    seen.add(name)
    return [...repeated, ...nameErrors(name, field)]
  })
}

function portsErrors(ports: Port[]): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany('ports', ports.length, MAX_PORTS)]
  const seen = new Set<string>()
  return ports.flatMap((port, i) => {
    const [path, name] = [`ports[${i}]`, port.name ?? '']
    const errors = name === '' ? [] : each(dnsLabelProblems(name), `${path}.name`, name)
    if (seen.has(name)) errors.push(duplicate(`${path}.name`, name))
    seen.add(name)
    if (typeof port.protocol !== 'string') errors.push(required(`${path}.protocol`))
    else if (!PROTOCOLS.includes(port.protocol))
      errors.push(notSupported(`${path}.protocol`, port.protocol, PROTOCOLS))
    const { appProtocol } = port
    return typeof appProtocol === 'string'
      ? [...errors, ...each(qualifiedNameProblems(appProtocol), `${path}.appProtocol`, appProtocol)]
      : errors
  })
}
