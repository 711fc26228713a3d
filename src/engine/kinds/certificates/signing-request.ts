/** The spec is immutable; conditions are only added. Texts recorded from kube-apiserver 1.31. */

import { readCertificates } from '../../authentication/certificates/x509'
import { timestamp } from '../../core/environment'
import { append } from '../../core/lists'
import { equalJson, type Json, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy, StrategyContext } from '../../registry/strategy'
import type { Changes } from '../../release-tables/changes'
import { goJson } from '../../schema/go-json'
import { repeatsIn } from '../../schema/repeats'
import { certificateProblem, readRequestSubject } from '../../validation/certificate-request'
import {
  duplicate,
  forbiddenField,
  invalidPrinted,
  invalidValue,
  notSupported,
  required,
  sinceChange,
} from '../../validation/field-errors'
import { typeNamed } from '../../validation/go-literal'
import { type GoValue, goValue } from '../../validation/go-value'
import { signerNameErrors } from '../../validation/signer-names'
import { forbiddenChange } from '../../validation/value-changes'

interface Condition {
  type?: string
  status?: string
  lastUpdateTime?: string | null
  lastTransitionTime?: string | null
}

interface SigningRequest extends KubeObject {
  spec?: Record<string, unknown> & {
    request?: string | null
    signerName?: string
    usages?: string[]
    expirationSeconds?: number
  }
  status?: { conditions?: Condition[]; certificate?: string }
}

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown'
const SHORTEST_SECONDS = 600
/** Added once by the approval endpoint, never removed. */
const APPROVAL = ['Approved', 'Denied']
const DECISIONS = [...APPROVAL, 'Failed']
const CONDITION_STATUS = ['False', 'True', 'Unknown']

export const signingRequestStrategy: Strategy = {
  nameRule: () => [],
  prepareForCreate(object, { user }) {
    const request = object as SigningRequest
    request.spec = {
      ...request.spec,
      username: user.name,
      uid: user.uid ?? '',
      groups: [...user.groups],
      extra: { ...user.extra },
    }
    request.status = {}
  },
  prepareForUpdate(object, old) {
    object.spec = old.spec
    object.status = old.status
  },
  validate: (object, { engine }) => requestErrors(object as SigningRequest, engine.tables.changes),
  status: {
    prepareForUpdate: settle,
    afterUpdate: countIssued,
    validateUpdate(object, old, { engine }) {
      const { changes } = engine.tables
      const [now, before] = [
        (object as SigningRequest).status ?? {},
        (old as SigningRequest).status ?? {},
      ]
      return [
        ...decisionErrors(now.conditions, before.conditions),
        ...APPROVAL.flatMap((type) =>
          approvalErrors(type, now.conditions, before.conditions, changes),
        ),
        ...(before.certificate && now.certificate !== before.certificate
          ? [
              forbiddenField(
                'status.certificate',
                'updates may not modify existing certificate content',
              ),
            ]
          : []),
      ]
    },
  },
}

/** `approval` changes only conditions. */
export const approvalStrategy: NonNullable<Strategy['status']> = {
  prepareForUpdate(object, old, context) {
    settle(object, old, context)
    const { certificate } = (old as SigningRequest).status ?? {}
    object.status = {
      ...(object as SigningRequest).status,
      ...(certificate === undefined ? { certificate: undefined } : { certificate }),
    }
  },
  validateUpdate: (object, old) =>
    decisionErrors(
      (object as SigningRequest).status?.conditions,
      (old as SigningRequest).status?.conditions,
    ),
}

/** Keeps the spec; fills condition times. */
function settle(object: KubeObject, old: KubeObject, { clock }: StrategyContext): void {
  object.spec = old.spec
  const now = timestamp(clock.now())
  const before = (old as SigningRequest).status?.conditions ?? []
  for (const condition of (object as SigningRequest).status?.conditions ?? []) {
    const same = before.find(
      ({ type, status }) => type === condition.type && status === condition.status,
    )
    condition.lastUpdateTime ||= now
    condition.lastTransitionTime ||= same?.lastTransitionTime || now
  }
}

/** Backdating of certificates, and the part of the duration by which it may differ. */
const TOLERANCE = { milliseconds: 5 * 60_000, part: 1 / 20 }

/** Counts whether signers honor `expirationSeconds`. */
function countIssued(object: KubeObject, old: KubeObject, { engine }: StrategyContext): void {
  const { spec: { signerName = '', expirationSeconds } = {}, status: before } =
    old as SigningRequest
  const { certificate = '' } = (object as SigningRequest).status ?? {}
  if (before?.certificate || certificate === '' || expirationSeconds === undefined) return
  const wanted = expirationSeconds * 1000
  const difference = Math.abs(wanted - durationOf(certificate))
  const tolerance = TOLERANCE.milliseconds + wanted * TOLERANCE.part
  engine.signing.issued(signerName, difference < tolerance)
}

/** @returns milliseconds; NaN for a malformed certificate */
function durationOf(certificate: string): number {
  try {
    const [{ notBefore, notAfter } = { notBefore: Number.NaN, notAfter: Number.NaN }] =
      readCertificates(atob(certificate))
    return notAfter - notBefore
  } catch {
    return Number.NaN
  }
}

const ofType = (conditions: Condition[] = [], type: string): Condition[] =>
  conditions.filter((condition) => condition.type === type)
const count = (conditions: Condition[] | undefined, type: string): number =>
  ofType(conditions, type).length

/** The status endpoint must not approve. */
function approvalErrors(
  type: string,
  conditions: Condition[] | undefined,
  old: Condition[] | undefined,
  changes: Changes,
): FieldError[] {
  const [now, before] = [ofType(conditions, type), ofType(old, type)]
  if (now.length < before.length || equalJson(now as Json, before as Json)) return []
  const field = 'status.conditions'
  if (now.length > before.length)
    return [forbiddenField(field, `updates may not add a condition of type "${type}"`)]
  const why = `updates may not modify a condition of type "${type}"`
  return [forbiddenChange(changes, field, why, goConditions(before), goConditions(now))]
}

function goConditions(conditions: Condition[]): GoValue {
  const items = conditions.map((condition) =>
    goValue(typeNamed('certificates.v1.CertificateSigningRequestCondition'), condition as Json),
  )
  return { kind: 'list', type: '[]certificates.CertificateSigningRequestCondition', items }
}

function decisionErrors(
  now: Condition[] | undefined,
  before: Condition[] | undefined,
): FieldError[] {
  return DECISIONS.filter((type) => count(now, type) < count(before, type)).map((type) =>
    forbiddenField('status.conditions', `updates may not remove a condition of type "${type}"`),
  )
}

function requestErrors({ spec = {}, status = {} }: SigningRequest, changes: Changes): FieldError[] {
  const { usages = [], signerName = '', expirationSeconds } = spec
  const errors = [...pemErrors(spec.request)]
  if (usages.length === 0) errors.push(required('spec.usages'))
  usages.forEach((usage, i) => {
    if (!USAGES.includes(usage)) errors.push(notSupported(`spec.usages[${i}]`, usage, USAGES))
  })
  const isRepeat = repeatsIn(usages)
  usages.forEach((usage, i) => {
    if (isRepeat(i)) errors.push(duplicate(`spec.usages[${i}]`, usage))
  })
  if (signerName === LEGACY_SIGNER) {
    errors.push(
      invalidValue(
        'spec.signerName',
        signerName,
        'the legacy signerName is not allowed via this API version',
      ),
    )
  } else append(errors, signerNameErrors('spec.signerName', signerName))
  if (typeof expirationSeconds === 'number' && expirationSeconds < SHORTEST_SECONDS) {
    const why = `may not specify a duration less than ${SHORTEST_SECONDS} seconds (10 minutes)`
    errors.push(invalidValue('spec.expirationSeconds', expirationSeconds, why))
  }
  append(errors, conditionErrors(status.conditions ?? [], changes))
  const problem = status.certificate ? certificateProblem(status.certificate) : undefined
  if (problem !== undefined)
    errors.push(invalidValue('status.certificate', '<certificate data>', problem))
  return errors
}

/** @param request PEM in base64, printed byte by byte if invalid; null: absent */
function pemErrors(request: string | null | undefined): FieldError[] {
  try {
    readRequestSubject(request ?? '')
    return []
  } catch (error) {
    const bytes = Array.from(atob(request ?? ''), (sign) => `0x${sign.charCodeAt(0).toString(16)}`)
    const go = `[]byte${typeof request === 'string' ? `{${bytes.join(', ')}}` : '(nil)'}`
    const value = { go, json: goJson(request ?? null) }
    return [invalidPrinted('spec.request', value, (error as Error).message)]
  }
}

const UNION = APPROVAL.map((type) => `conditions[{"type": "${type}"}]`)
const UNION_SHOWN = `{${UNION.join(', ')}}`
const UNION_TEXT = `must specify at most one of: ${UNION.map((part) => `\`${part}\``).join(', ')}`

function conditionErrors(conditions: Condition[], changes: Changes): FieldError[] {
  const namesList = changes.has('DecisionsNameConditions')
  const seen = new Set<string>()
  return conditions.flatMap(({ type = '', status = '' }, i) => {
    const at = `status.conditions[${i}]`
    const errors: FieldError[] = []
    if (type === '') errors.push(required(`${at}.type`))
    if (status === '') errors.push(required(`${at}.status`))
    else if (DECISIONS.includes(type) && status !== 'True')
      errors.push(notSupported(`${at}.status`, status, ['True']))
    else if (!CONDITION_STATUS.includes(status))
      errors.push(notSupported(`${at}.status`, status, CONDITION_STATUS))
    if (APPROVAL.includes(type) && APPROVAL.some((other) => other !== type && seen.has(other))) {
      const field = namesList ? 'status.conditions' : `${at}.type`
      errors.push(
        sinceChange(
          'DecisionsAreUnion',
          invalidValue('status.conditions', UNION_SHOWN, UNION_TEXT),
          invalidValue(field, type, 'Approved and Denied conditions are mutually exclusive'),
        ),
      )
    }
    if (seen.has(type)) errors.push(duplicate(`${at}.type`, type))
    seen.add(type)
    return errors
  })
}
