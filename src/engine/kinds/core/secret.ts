/** Rules of Secrets. Recorded from kube-apiserver 1.31. */

import { entryOf, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { base64OfBytes, bytesOfBase64 } from '../../schema/base64'
import { goJsonError } from '../../schema/json-reader'
import { base64Length, dataKeyProblems, MAX_DATA_BYTES } from '../../validation/data-keys'
import { invalidValue, required, tooLong } from '../../validation/field-errors'
import { keyPairProblem } from '../../validation/pem'
import { changesOfImmutable } from './immutable-data'

interface Secret extends KubeObject {
  type?: string
  data?: Record<string, string> | null
  stringData?: Record<string, string> | null
}

const ACCOUNT_ANNOTATION = 'kubernetes.io/service-account.name'
const OPAQUE = 'Opaque'
const TLS = 'kubernetes.io/tls'

type Data = Record<string, string>

const missing = (data: Data, ...keys: string[]): FieldError[] =>
  keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`))

const textOf = (base64: string | undefined): string =>
  new TextDecoder().decode(bytesOfBase64(base64 ?? ''))

/** Errors do not print it. */
function jsonObject(data: Data, key: string): FieldError[] {
  const absent = missing(data, key)
  if (absent.length > 0) return absent
  const problem = jsonObjectProblem(textOf(entryOf(data, key)))
  return problem === undefined
    ? []
    : [invalidValue(`data[${key}]`, '<secret contents redacted>', problem)]
}

function jsonObjectProblem(text: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return goJsonError(text)
  }
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`
}

const CHECKS: Record<string, (data: Data, secret: Secret) => FieldError[]> = {
  'kubernetes.io/service-account-token': (_, { metadata }) =>
    metadata.annotations?.[ACCOUNT_ANNOTATION]
      ? []
      : [required(`metadata.annotations[${ACCOUNT_ANNOTATION}]`)],
  'kubernetes.io/dockercfg': (data) => jsonObject(data, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data) => jsonObject(data, '.dockerconfigjson'),
  'kubernetes.io/basic-auth'(data) {
    const absent = missing(data, 'username', 'password')
    return absent.length === 2 ? absent : []
  },
  'kubernetes.io/ssh-auth': (data) =>
    data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')],
  [TLS]: (data) => missing(data, 'tls.crt', 'tls.key'),
}

function warnings(object: KubeObject): string[] {
  const { type, data } = object as Secret
  if (type !== TLS) return []
  const problem = keyPairProblem(textOf(data?.['tls.crt']), textOf(data?.['tls.key']))
  return problem === undefined ? [] : [problem]
}

export const secretStrategy: Strategy = {
  defaults(object) {
    const secret = object as Secret
    const { stringData } = secret
    if (stringData) {
      const encoder = new TextEncoder()
      const encoded = Object.entries(stringData).map(([key, text]) => [
        key,
        base64OfBytes([...encoder.encode(text ?? '')]),
      ])
      if (encoded.length > 0) secret.data = { ...secret.data, ...Object.fromEntries(encoded) }
    }
    secret.stringData = undefined
    if (!secret.type) secret.type = OPAQUE
  },
  validate(object) {
    const secret = object as Secret
    const data = secret.data ?? {}
    const keys = Object.keys(data).sort()
    const size = keys.reduce((sum, key) => sum + base64Length(entryOf(data, key) ?? ''), 0)
    return [
      ...keys.flatMap((key) =>
        dataKeyProblems(key).map((problem) => invalidValue(`data[${key}]`, key, problem)),
      ),
      ...(size > MAX_DATA_BYTES ? [tooLong('data', MAX_DATA_BYTES)] : []),
      ...(entryOf(CHECKS, secret.type ?? '')?.(data, secret) ?? []),
    ]
  },
  validateUpdate: (object, old) => [
    ...(object.type === old.type ? [] : [invalidValue('type', object.type, 'field is immutable')]),
    ...changesOfImmutable(object, old, ['data']),
  ],
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
}
