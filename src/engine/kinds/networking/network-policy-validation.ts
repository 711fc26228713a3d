/** Validates NetworkPolicies. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import { rangeFieldErrors } from '../../validation/address-problems'
import { cidrFamily, isStrictlyWithin } from '../../validation/addresses'
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  sinceChange,
} from '../../validation/field-errors'
import { invalidTypedList } from '../../validation/go-literal'
import { type LabelSelectorObject, labelSelectorErrors } from '../../validation/label-selectors'
import { portErrors, portNumberErrors } from '../../validation/numbers'

interface Port {
  protocol?: string
  port?: number | string | null
  endPort?: number | null
}

interface Peer {
  podSelector?: LabelSelectorObject | null
  namespaceSelector?: LabelSelectorObject | null
  ipBlock?: { cidr?: string; except?: string[] | null } | null
}

interface Rule {
  ports?: Port[] | null
  from?: Peer[] | null
  to?: Peer[] | null
}

export interface NetworkPolicySpec {
  podSelector?: LabelSelectorObject
  ingress?: Rule[] | null
  egress?: Rule[] | null
  policyTypes?: string[] | null
}

const PROTOCOLS = ['TCP', 'UDP', 'SCTP']
const DIRECTIONS = ['Ingress', 'Egress']

export function networkPolicyErrors({
  podSelector,
  ingress,
  egress,
  policyTypes,
}: NetworkPolicySpec): FieldError[] {
  const errors = [
    ...labelSelectorErrors(podSelector, 'spec.podSelector'),
    ...ruleErrors(ingress, 'from', 'spec.ingress'),
    ...ruleErrors(egress, 'to', 'spec.egress'),
  ]
  const types = policyTypes ?? []
  if (types.length > DIRECTIONS.length)
    return [
      ...errors,
      invalidTypedList(
        'spec.policyTypes',
        'networking.PolicyType',
        types,
        'may not specify more than two policyTypes',
      ),
    ]
  const unknown = (type: string, i: number) =>
    DIRECTIONS.includes(type) ? [] : [notSupported(`spec.policyTypes[${i}]`, type, DIRECTIONS)]
  return [...errors, ...types.flatMap(unknown)]
}

function ruleErrors(
  rules: Rule[] | null | undefined,
  direction: 'from' | 'to',
  path: string,
): FieldError[] {
  return (rules ?? []).flatMap((rule, i) => [
    ...(rule.ports ?? []).flatMap((port, j) => policyPortErrors(port, `${path}[${i}].ports[${j}]`)),
    ...(rule[direction] ?? []).flatMap((peer, j) =>
      peerErrors(peer, `${path}[${i}].${direction}[${j}]`),
    ),
  ])
}

function policyPortErrors({ protocol, port, endPort }: Port, path: string): FieldError[] {
  const errors =
    protocol !== undefined && !PROTOCOLS.includes(protocol)
      ? [notSupported(`${path}.protocol`, protocol, PROTOCOLS)]
      : []
  const end = typeof endPort === 'number' ? endPort : undefined
  const endErrors = (why: string) =>
    end === undefined ? [] : [invalidValue(`${path}.endPort`, end, why)]
  if (port === undefined || port === null)
    return [...errors, ...endErrors('may not be specified when `port` is not specified')]
  if (typeof port === 'string')
    return [
      ...errors,
      ...endErrors('may not be specified when `port` is non-numeric'),
      ...portErrors(`${path}.port`, port),
    ]
  append(errors, portErrors(`${path}.port`, port))
  if (end === undefined) return errors
  if (end < port) {
    const misordered = (shown: number) =>
      invalidValue(`${path}.endPort`, shown, 'must be greater than or equal to `port`')
    // Until 1.36 the message prints the port instead of endPort.
    errors.push(sinceChange('EndPortPrinted', misordered(end), misordered(port)))
  }
  return [...errors, ...portNumberErrors(`${path}.endPort`, end)]
}

function peerErrors({ podSelector, namespaceSelector, ipBlock }: Peer, path: string): FieldError[] {
  const errors = [
    ...labelSelectorErrors(podSelector, `${path}.podSelector`),
    ...labelSelectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock ? blockErrors(ipBlock, `${path}.ipBlock`) : []),
  ]
  if (!podSelector && !namespaceSelector && !ipBlock)
    errors.push(required(path, 'must specify a peer'))
  else if (ipBlock && (podSelector || namespaceSelector))
    errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'))
  return errors
}

function blockErrors(
  { cidr = '', except }: { cidr?: string; except?: string[] | null },
  path: string,
): FieldError[] {
  if (cidr === '') return [required(`${path}.cidr`)]
  const errors = rangeFieldErrors(`${path}.cidr`, cidr)
  if (!cidrFamily(cidr)) return errors
  const ofExceptions = (except ?? []).flatMap((range, i) => {
    const field = `${path}.except[${i}]`
    const own = rangeFieldErrors(field, range)
    return !cidrFamily(range) || isStrictlyWithin(range, cidr)
      ? own
      : [...own, invalidValue(field, range, 'must be a strict subset of `cidr`')]
  })
  return [...errors, ...ofExceptions]
}
