/** Rules of Ingresses. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Engine } from '../../registry/engine'
import type { Strategy } from '../../registry/strategy'
import { explicitList } from '../../schema/explicit-empties'
import { addressFamily, NOT_AN_ADDRESS } from '../../validation/addresses'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidTypedList } from '../../validation/go-literal'
import { addressAsHostErrors, hostNameErrors } from '../../validation/hosts'
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
} from '../../validation/names'
import { portErrors, portNumberErrors } from '../../validation/numbers'
import { keepSpec } from '../apps/workload-rules'
import { type TypedReference, typedReferenceErrors } from './typed-reference'

interface Backend {
  service?: { name?: string; port?: { name?: string; number?: number } } | null
  resource?: TypedReference | null
}

interface HttpPath {
  path?: string
  pathType?: string | null
  backend?: Backend
}

interface IngressRule {
  host?: string
  http?: { paths?: HttpPath[] | null } | null
}

interface Tls {
  hosts?: string[] | null
  secretName?: string
}

interface Ingress extends KubeObject {
  spec?: {
    ingressClassName?: string | null
    defaultBackend?: Backend | null
    tls?: Tls[] | null
    rules?: IngressRule[] | null
  }
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] | null } }
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class'
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix']
const ABSOLUTE = 'must be an absolute path'
const NOT_INSIDE = ['//', '/./', '/../', '%2f', '%2F']
const NOT_AT_END = ['/..', '/.']

const each = (problems: string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalidValue(field, value, problem))

export const ingressStrategy: Strategy = {
  generationFields: ['spec'],
  serverOwned: ['status'],
  validatesAllOnUpdate: false,
  validate: (object, { engine }) => specErrors(object as Ingress, undefined, engine.featureGates),
  validateNew(object) {
    const { ingressClassName: name } = (object as Ingress).spec ?? {}
    const annotation = object.metadata.annotations?.[CLASS_ANNOTATION]
    if (annotation === undefined || typeof name !== 'string' || annotation === name) return []
    const field = `annotations.${CLASS_ANNOTATION}`
    return [
      invalidValue(field, annotation, 'must match `ingressClassName` when both are specified'),
    ]
  },
  validateUpdate: (object, old, { engine }) =>
    specErrors(object as Ingress, old as Ingress, engine.featureGates),
  warningsOnCreate(object) {
    const old =
      object.metadata.annotations?.[CLASS_ANNOTATION] !== undefined &&
      typeof (object as Ingress).spec?.ingressClassName !== 'string'
    return old
      ? [
          `annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`,
        ]
      : []
  },
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: (object) => statusErrors(object as Ingress),
  },
}

type ServiceNameRule = (name: string) => string[]

/** Only the gate allows such names. */
function hasRelaxedName({ spec }: Ingress): boolean {
  const paths = spec?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? []
  return [spec?.defaultBackend, ...paths.map(({ backend }) => backend)].some((backend) => {
    const name = backend?.service?.name ?? ''
    return dnsLabelProblems(name).length === 0 && dns1035LabelProblems(name).length > 0
  })
}

/** @param old may have invalid secret and service names */
function specErrors(
  { spec = {} }: Ingress,
  old: Ingress | undefined,
  gates: Engine['featureGates'],
): FieldError[] {
  const isRelaxed = gates.RelaxedServiceNameValidation || (old !== undefined && hasRelaxedName(old))
  const serviceName = isRelaxed ? dnsLabelProblems : dns1035LabelProblems
  const { defaultBackend, rules, tls, ingressClassName: name } = spec
  const errors: FieldError[] = []
  if (!rules?.length && !defaultBackend) {
    const why = 'either `defaultBackend` or `rules` must be specified'
    errors.push(
      invalidTypedList(
        'spec',
        'networking.IngressRule',
        explicitList(spec, 'rules') ?? undefined,
        why,
      ),
    )
  }
  if (defaultBackend)
    append(errors, backendErrors(defaultBackend, serviceName, 'spec.defaultBackend'))
  append(
    errors,
    (rules ?? []).flatMap((rule, i) => ruleErrors(rule, serviceName, `spec.rules[${i}]`)),
  )
  const lax = (old?.spec?.tls ?? []).some(
    ({ secretName = '' }) => secretProblems(secretName).length > 0,
  )
  append(
    errors,
    (tls ?? []).flatMap((entry, i) => tlsErrors(entry, lax, `spec.tls[${i}]`)),
  )
  if (typeof name === 'string')
    append(errors, each(dnsSubdomainProblems(name), 'spec.ingressClassName', name))
  return errors
}

function ruleErrors(
  { host = '', http }: IngressRule,
  serviceName: ServiceNameRule,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  if (host !== '')
    append(
      errors,
      addressAsHostErrors(`${path}.host`, host),
      hostNameErrors(`${path}.host`, host, true),
    )
  if (!http) return errors
  const paths = http.paths ?? []
  if (paths.length === 0) errors.push(required(`${path}.http.paths`))
  return [
    ...errors,
    ...paths.flatMap((entry, i) => httpPathErrors(entry, serviceName, `${path}.http.paths[${i}]`)),
  ]
}

function httpPathErrors(
  { path = '', pathType, backend = {} }: HttpPath,
  serviceName: ServiceNameRule,
  at: string,
): FieldError[] {
  if (typeof pathType !== 'string')
    return [required(`${at}.pathType`, 'pathType must be specified')]
  const errors: FieldError[] = []
  const wrong = (why: string) => errors.push(invalidValue(`${at}.path`, path, why))
  if (!PATH_TYPES.includes(pathType))
    errors.push(notSupported(`${at}.pathType`, pathType, PATH_TYPES))
  else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) wrong(ABSOLUTE)
  } else {
    if (!path.startsWith('/')) wrong(ABSOLUTE)
    for (const part of NOT_INSIDE) if (path.includes(part)) wrong(`must not contain '${part}'`)
    for (const end of NOT_AT_END) if (path.endsWith(end)) wrong(`cannot end with '${end}'`)
  }
  return [...errors, ...backendErrors(backend, serviceName, `${at}.backend`)]
}

function backendErrors(
  { service, resource }: Backend,
  serviceName: ServiceNameRule,
  path: string,
): FieldError[] {
  if (service && resource)
    return [invalidValue(path, '', 'cannot set both resource and service backends')]
  if (resource) return typedReferenceErrors(resource, `${path}.resource`)
  if (!service) return [invalidValue(path, '', 'resource or service backend is required')]
  const { name = '', port = {} } = service
  const errors =
    name === ''
      ? [required(`${path}.service.name`)]
      : each(serviceName(name), `${path}.service.name`, name)
  if (port.name && port.number)
    errors.push(invalidValue(path, '', 'cannot set both port name & port number'))
  else if (port.name) append(errors, portErrors(`${path}.service.port.name`, port.name))
  else if (port.number) append(errors, portNumberErrors(`${path}.service.port.number`, port.number))
  else errors.push(required(path, 'port name or number is required'))
  return errors
}

const secretProblems = (name: string): string[] => (name === '' ? [] : dnsSubdomainProblems(name))

function tlsErrors({ hosts, secretName = '' }: Tls, lax: boolean, path: string): FieldError[] {
  return [
    ...(hosts ?? []).flatMap((host, i) => hostNameErrors(`${path}.hosts[${i}]`, host, true)),
    ...(lax ? [] : each(secretProblems(secretName), `${path}.secretName`, secretName)),
  ]
}

function statusErrors({ status }: Ingress): FieldError[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '', hostname = '' }, i) => {
    const path = `status.loadBalancer.ingress[${i}]`
    const errors =
      ip === '' || addressFamily(ip) ? [] : [invalidValue(`${path}.ip`, ip, NOT_AN_ADDRESS)]
    if (hostname === '') return errors
    const field = `${path}.hostname`
    return [
      ...errors,
      ...hostNameErrors(field, hostname, false),
      ...addressAsHostErrors(field, hostname),
    ]
  })
}
