/** Rules of APIServices. Recorded from kube-apiserver 1.31. */
import { timestamp } from '../../core/environment'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { STATUS_ALONE, type Strategy } from '../../registry/strategy'
import { goQuote } from '../../schema/go-text'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { dns1035LabelProblems, dnsSubdomainProblems, pathSegment } from '../../validation/names'
import { rangeText } from '../../validation/numbers'

interface Condition {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export interface ApiServiceStatus {
  conditions?: Condition[]
}

interface Spec {
  service?: { namespace?: string; name?: string; port?: number } | null
  group?: string
  version?: string
  insecureSkipTLSVerify?: boolean
  caBundle?: string
  groupPriorityMinimum?: number
  versionPriority?: number
}

export interface ApiService extends KubeObject {
  spec?: Spec
  status?: ApiServiceStatus
}

export const AVAILABLE = 'Available'

const DEFAULT_PORT = 443
const LOCAL = {
  type: AVAILABLE,
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
}

export const availabilityOf = ({ status }: ApiService): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === AVAILABLE)

/** The time changes only with the status. */
export function statusWith(
  status: ApiServiceStatus = {},
  condition: Condition,
  now: string,
): ApiServiceStatus {
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type)
  const known = status.conditions?.find(({ type }) => type === condition.type)
  const since = known?.status === condition.status ? (known.lastTransitionTime ?? now) : now
  return { ...status, conditions: [...others, { ...condition, lastTransitionTime: since }] }
}

export const apiServiceStrategy: Strategy = {
  nameRule: pathSegment,
  serverOwned: ['status'],
  laxFinalizers: true,
  statusKeeps: STATUS_ALONE,
  allowUnconditionalUpdate: false,
  defaults(object) {
    const service = (object as ApiService).spec?.service
    if (service) service.port ??= DEFAULT_PORT
  },
  prepareForCreate(object, { clock }) {
    const service = object as ApiService
    service.status = service.spec?.service ? {} : statusWith({}, LOCAL, timestamp(clock.now()))
  },
  validate: (object) => errorsOf(object as ApiService),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object) => statusErrors(object as ApiService),
  },
}

const MAX_GROUP_PRIORITY = 20_000
const MAX_VERSION_PRIORITY = 1000

function errorsOf({ metadata, spec = {} }: ApiService): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec
  const fitting = `${version}.${group}`
  return [
    ...(['generateName', 'name'] as const).flatMap((member) => {
      const { [member]: name = '' } = metadata
      if (name === '' || name === fitting || pathSegment(name, false).length > 0) return []
      return [
        invalidValue(
          `metadata.${member}`,
          name,
          `must be \`spec.version+"."+spec.group\`: ${goQuote(fitting)}`,
        ),
      ]
    }),
    ...groupErrors(group, version),
    ...dns1035LabelProblems(version).map((problem) =>
      invalidValue('spec.version', version, problem),
    ),
    ...priorityErrors('spec.groupPriorityMinimum', groupPriorityMinimum, MAX_GROUP_PRIORITY),
    ...priorityErrors('spec.versionPriority', versionPriority, MAX_VERSION_PRIORITY),
    ...(spec.service ? remoteErrors(spec, spec.service) : localErrors(spec)),
  ]
}

const STATES = ['True', 'False', 'Unknown']

function statusErrors({ status }: ApiService): FieldError[] {
  return (status?.conditions ?? []).flatMap(({ status: state = '' }, i) =>
    STATES.includes(state) ? [] : [notSupported(`status.conditions[${i}].status`, state, STATES)],
  )
}

function groupErrors(group: string, version: string): FieldError[] {
  if (group !== '')
    return dnsSubdomainProblems(group).map((problem) => invalidValue('spec.group', group, problem))
  return version === 'v1'
    ? []
    : [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
}

function priorityErrors(field: string, priority = 0, highest: number): FieldError[] {
  return priority > 0 && priority <= highest
    ? []
    : [invalidValue(field, priority, `must be positive and less than ${highest}`)]
}

function localErrors({ caBundle = '', insecureSkipTLSVerify }: Spec): FieldError[] {
  const errors: FieldError[] = []
  if (caBundle !== '') {
    errors.push(
      invalidValue(
        'spec.caBundle',
        `${atob(caBundle).length} bytes`,
        'local APIServices may not have a caBundle',
      ),
    )
  }
  if (insecureSkipTLSVerify) {
    errors.push(
      invalidValue(
        'spec.insecureSkipTLSVerify',
        true,
        'local APIServices may not have insecureSkipTLSVerify',
      ),
    )
  }
  return errors
}

function remoteErrors(
  { caBundle = '', insecureSkipTLSVerify }: Spec,
  { namespace, name, port = 0 }: NonNullable<Spec['service']>,
) {
  const errors: FieldError[] = []
  if (!namespace) errors.push(required('spec.service.namespace'))
  if (!name) errors.push(required('spec.service.name'))
  if (port < 1 || port > 65535)
    errors.push(
      invalidValue('spec.service.port', port, `port is not valid: ${rangeText(1, 65535)}`),
    )
  if (insecureSkipTLSVerify && caBundle !== '') {
    errors.push(
      invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'),
    )
  }
  return errors
}
