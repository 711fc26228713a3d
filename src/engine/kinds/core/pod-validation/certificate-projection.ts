/** KEP-4317; k8s.io/kubernetes, pkg/apis/core/validation/validation.go. */

import type { JsonObject } from '../../../core/object'
import { isJsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { invalidValue, notSupported, required } from '../../../validation/field-errors'
import { unreservedPathErrors } from '../../../validation/paths'
import { signerNameErrors } from '../../../validation/signer-names'
import { userAnnotationErrors } from '../../../validation/user-annotations'
import { text } from '../volume-types'

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519']
const PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const
const LEAST_SECONDS = 3600
const MOST_SECONDS = 7862400
const MOST_SECONDS_OF_KUBERNETES = 86400

/** @param take marks a path as taken */
export function certificateProjectionErrors(
  source: JsonObject,
  at: string,
  take: (file: string, shown: string) => readonly FieldError[],
): FieldError[] {
  const [signer, keyType] = [text(source.signerName), text(source.keyType)]
  const given = PATHS.filter((member) => text(source[member]) !== '')
  return [
    ...signerNameErrors(`${at}.signerName`, signer),
    ...(isJsonObject(source.userAnnotations)
      ? userAnnotationErrors(source.userAnnotations, `${at}.userAnnotations`)
      : []),
    ...(KEY_TYPES.includes(keyType) ? [] : [notSupported(`${at}.keyType`, keyType, KEY_TYPES)]),
    ...expirationErrors(source.maxExpirationSeconds, signer, `${at}.maxExpirationSeconds`),
    ...given.flatMap((member) => {
      const path = text(source[member])
      return [...unreservedPathErrors(`${at}.${member}`, path), ...take(path, path)]
    }),
    ...(given.length === 0
      ? [
          required(
            at,
            'specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
          ),
        ]
      : []),
  ]
}

function expirationErrors(seconds: unknown, signer: string, field: string): FieldError[] {
  if (typeof seconds !== 'number') return []
  const ofKubernetes = signer.startsWith('kubernetes.io/')
  const most = ofKubernetes ? MOST_SECONDS_OF_KUBERNETES : MOST_SECONDS
  const why = (bound: string) =>
    invalidValue(field, seconds, `if provided, maxExpirationSeconds must be ${bound}`)
  return [
    ...(seconds < LEAST_SECONDS ? [why(`>= ${LEAST_SECONDS}`)] : []),
    ...(seconds > most ? [why(`<= ${most}`)] : []),
  ]
}
