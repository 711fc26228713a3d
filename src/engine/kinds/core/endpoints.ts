/** Rules of Endpoints. Recorded from kube-apiserver 1.31. */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { addressFieldErrors } from '../../validation/address-problems'
import { addressFamily, specialAddressProblems } from '../../validation/addresses'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from '../../validation/names'
import { portNumberErrors } from '../../validation/numbers'

interface EndpointAddress {
  ip?: string
  hostname?: string
  nodeName?: string | null
}

interface EndpointPort {
  name?: string
  port?: number
  protocol?: string
  appProtocol?: string | null
}

interface Subset {
  addresses?: EndpointAddress[] | null
  notReadyAddresses?: EndpointAddress[] | null
  ports?: EndpointPort[] | null
}

interface Endpoints extends KubeObject {
  subsets?: Subset[] | null
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP']

const each = (problems: readonly string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalidValue(field, value, problem))

function addressErrors(
  { ip = '', hostname, nodeName }: EndpointAddress,
  path: string,
): FieldError[] {
  // An invalid address fails both checks.
  const isAddress = addressFamily(ip) !== undefined
  return [
    ...addressFieldErrors(`${path}.ip`, ip),
    ...(hostname ? each(dnsLabelProblems(hostname), `${path}.hostname`, hostname) : []),
    ...(typeof nodeName === 'string'
      ? each(dnsSubdomainProblems(nodeName), `${path}.nodeName`, nodeName)
      : []),
    ...each(
      isAddress ? specialAddressProblems(ip) : ['must be a valid IP address'],
      `${path}.ip`,
      ip,
    ),
  ]
}

function portErrors(
  { name = '', port = 0, protocol, appProtocol }: EndpointPort,
  needsName: boolean,
  path: string,
): FieldError[] {
  return [
    ...(name !== ''
      ? each(dnsLabelProblems(name), `${path}.name`, name)
      : needsName
        ? [required(`${path}.name`)]
        : []),
    ...portNumberErrors(`${path}.port`, port),
    ...(!protocol
      ? [required(`${path}.protocol`)]
      : PROTOCOLS.includes(protocol)
        ? []
        : [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ...(typeof appProtocol === 'string'
      ? each(qualifiedNameProblems(appProtocol), `${path}.appProtocol`, appProtocol)
      : []),
  ]
}

function subsetErrors({ addresses, notReadyAddresses, ports }: Subset, path: string): FieldError[] {
  const empty = !addresses?.length && !notReadyAddresses?.length
  return [
    ...(empty ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...(addresses ?? []).flatMap((address, i) => addressErrors(address, `${path}.addresses[${i}]`)),
    ...(notReadyAddresses ?? []).flatMap((address, i) =>
      addressErrors(address, `${path}.notReadyAddresses[${i}]`),
    ),
    ...(ports ?? []).flatMap((port, i) =>
      portErrors(port, (ports ?? []).length > 1, `${path}.ports[${i}]`),
    ),
  ]
}

const subsetsErrors = (object: KubeObject): FieldError[] =>
  ((object as Endpoints).subsets ?? []).flatMap((subset, i) =>
    subsetErrors(subset, `subsets[${i}]`),
  )

export const endpointsStrategy: Strategy = {
  allowCreateOnUpdate: true,
  defaults(object) {
    for (const { ports } of (object as Endpoints).subsets ?? []) {
      for (const port of ports ?? []) if (!port.protocol) port.protocol = 'TCP'
    }
  },
  validate: subsetsErrors,
}
