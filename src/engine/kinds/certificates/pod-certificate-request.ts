/** KEP-4317; k8s.io/kubernetes, pkg/apis/certificates/validation. */

import { equalJson, type Json, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { STATUS_ALONE, type Strategy } from '../../registry/strategy'
import { conditionErrors, type StatusCondition } from '../../validation/conditions'
import {
  invalidValue,
  notSupported,
  overlong,
  required,
  requiredOnly,
} from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { dnsSubdomainProblems } from '../../validation/names'
import { signerNameErrors } from '../../validation/signer-names'

interface Spec {
  signerName?: string
  podName?: string
  podUID?: string
  serviceAccountName?: string
  serviceAccountUID?: string
  nodeName?: string
  nodeUID?: string
  maxExpirationSeconds?: number
  stubPKCS10Request?: string | null
}

interface Request extends KubeObject {
  spec?: Spec
  status?: { conditions?: StatusCondition[] } & Record<string, unknown>
}

const HOUR = 3600
const SHORTEST_SECONDS = HOUR
const PRESET_SECONDS = 24 * HOUR
/** Kubernetes signers: one day; others: 91. */
const LONGEST_SECONDS = { kubernetes: 24 * HOUR, others: 91 * 24 * HOUR }
const LONGEST_UID = 128
const OUTCOMES = ['Issued', 'Denied', 'Failed']

export const podCertificateRequestStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  validatesAllOnUpdate: false,
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  defaults(object) {
    const { spec } = object as Request
    if (spec) spec.maxExpirationSeconds ??= PRESET_SECONDS
  },
  validate: (object) => requestErrors((object as Request).spec ?? {}),
  validateUpdate: (object, old) =>
    equalJson(object.spec, old.spec)
      ? []
      : [
          invalidStructure(
            'spec',
            'certificates.v1.PodCertificateRequestSpec',
            object.spec,
            'field is immutable',
          ),
        ],
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate: (object, old) => statusErrors(object as Request, old as Request),
  },
}

function requestErrors(spec: Spec): FieldError[] {
  const { signerName = '', maxExpirationSeconds: seconds } = spec
  const named = (member: 'podName' | 'serviceAccountName' | 'nodeName') => {
    const name = spec[member] ?? ''
    return dnsSubdomainProblems(name).map((why) => invalidValue(`spec.${member}`, name, why))
  }
  const identified = (member: 'podUID' | 'serviceAccountUID' | 'nodeUID') => {
    const uid = spec[member] ?? ''
    const field = `spec.${member}`
    if (uid === '') return [invalidValue(field, uid, 'must not be empty')]
    return uid.length > LONGEST_UID ? [overlong(field, LONGEST_UID)] : []
  }
  const errors = [
    ...signerNameErrors('spec.signerName', signerName),
    ...named('podName'),
    ...identified('podUID'),
    ...named('serviceAccountName'),
    ...identified('serviceAccountUID'),
    ...named('nodeName'),
    ...identified('nodeUID'),
  ]
  const field = 'spec.maxExpirationSeconds'
  if (seconds === undefined) return [...errors, requiredOnly(field, 'must be set')]
  const isOwn = signerName.startsWith('kubernetes.io/')
  const longest = isOwn ? LONGEST_SECONDS.kubernetes : LONGEST_SECONDS.others
  return seconds >= SHORTEST_SECONDS && seconds <= longest
    ? errors
    : [
        ...errors,
        invalidValue(field, seconds, `must be in the range [${SHORTEST_SECONDS}, ${longest}]`),
      ]
}

const holds = ({ status }: Request, type: string): boolean =>
  (status?.conditions ?? []).some((one) => one.type === type && one.status === 'True')

const ENDED = 'immutable after PodCertificateRequest is issued, denied, or failed'
const ONLY_CONDITIONS =
  'non-condition status fields must be empty when denying or failing the PodCertificateRequest'

function statusErrors(request: Request, old: Request): FieldError[] {
  const { conditions = [], ...others } = request.status ?? {}
  const path = 'status.conditions'
  const errors = [...outcomeErrors(conditions, path), ...conditionErrors(conditions, path)]
  if (errors.length > 0) return errors
  const whole = (why: string) =>
    invalidStructure('status', 'certificates.v1.PodCertificateRequestStatus', request.status, why)
  if (OUTCOMES.some((type) => holds(old, type)))
    return equalJson(request.status as Json, old.status as Json) ? [] : [whole(ENDED)]
  if (holds(request, 'Denied') || holds(request, 'Failed'))
    return Object.values(others).some((value) => value !== undefined)
      ? [whole(ONLY_CONDITIONS)]
      : []
  return holds(request, 'Issued') ? issuedErrors(others) : []
}

function outcomeErrors(conditions: StatusCondition[], path: string): FieldError[] {
  let known = 0
  return conditions.flatMap(({ type = '', status = '' }, i) => {
    const at = `${path}.[${i}]`
    if (!OUTCOMES.includes(type)) return [notSupported(`${at}.type`, type, OUTCOMES)]
    const twice = 'There may be at most one condition with type "Issued", "Denied", or "Failed"'
    return [
      ...(++known > 1 ? [invalidValue(`${at}.type`, type, twice)] : []),
      ...(status === 'True' ? [] : [notSupported(`${at}.status`, status, ['True'])]),
    ]
  })
}

const CONSISTENT = 'must be present and consistent with the issued certificate'
const IN_RANGE = 'must be present and in the range [notbefore+10min, notafter-10min]'

/** A certificate requires all its times. */
function issuedErrors(status: Record<string, unknown>): FieldError[] {
  const chain = typeof status.certificateChain === 'string' ? status.certificateChain : ''
  if (!/-----BEGIN [^\n]*-----/.test(chain)) {
    const why = 'issued certificate chain must contain at least one certificate'
    return [invalidValue('status.certificateChain', chain, why)]
  }
  const needed = { notBefore: CONSISTENT, notAfter: CONSISTENT, beginRefreshAt: IN_RANGE }
  return Object.entries(needed).flatMap(([member, why]) =>
    status[member] ? [] : [required(`status.${member}`, why)],
  )
}
