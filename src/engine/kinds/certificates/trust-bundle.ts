/** Rules of ClusterTrustBundles. Recorded from kube-apiserver 1.31. */

import { addToGroup } from '../../core/lists'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import {
  children,
  decodeBytes,
  type Element,
  element,
  objectIdentifier,
} from '../../validation/der'
import { invalidValue, tooLong } from '../../validation/field-errors'
import { signerNameErrors } from '../../validation/signer-names'
import { trustBundleNameProblems } from '../../validation/trust-bundle-names'

interface Spec {
  signerName?: string
  trustBundle?: string
}

const specOf = (object: KubeObject): Spec => (object.spec ?? {}) as Spec

export const clusterTrustBundleStrategy: Strategy = {
  // The signer decides the name's rule.
  nameRule: () => [],
  allowUnconditionalUpdate: false,
  validatesAllOnUpdate: false,
  validate: bundleErrors,
  validateUpdate(object, old) {
    const { signerName = '' } = specOf(object)
    const changed =
      signerName === (specOf(old).signerName ?? '')
        ? []
        : [invalidValue('spec.signerName', signerName, 'field is immutable')]
    return [...bundleErrors(object), ...changed]
  },
}

const MAX_BYTES = 1024 * 1024

function bundleErrors(object: KubeObject): FieldError[] {
  const { name = '', generateName = '' } = object.metadata
  const { signerName = '', trustBundle = '' } = specOf(object)
  return [
    ...nameErrors('metadata.generateName', generateName, signerName, true),
    ...nameErrors('metadata.name', name, signerName, false),
    ...(signerName === '' ? [] : signerNameErrors('spec.signerName', signerName)),
    ...(trustBundle.length > MAX_BYTES
      ? [tooLong('spec.trustBundle', MAX_BYTES)]
      : anchorErrors('spec.trustBundle', trustBundle)),
  ]
}

function nameErrors(
  field: string,
  name: string,
  signer: string,
  prefixOnly: boolean,
): FieldError[] {
  if (name === '') return []
  return trustBundleNameProblems(name, signer, prefixOnly).map((problem) =>
    invalidValue(field, name, problem),
  )
}

const BLOCK = /-----BEGIN ([^\n]*?)-----[ \t\r]*\n([\s\S]*?)-----END \1-----/g

/** Errors never contain the bundle. */
function anchorErrors(field: string, text: string): FieldError[] {
  const rejected = (why: string): FieldError => invalidValue(field, '<value omitted>', why)
  const blocks = [...text.matchAll(BLOCK)].map(([, label = '', body = '']) => ({ label, body }))
  const broken = blocks.flatMap(({ label, body }, i) => {
    const problem = anchorProblem(label, body)
    return problem === undefined ? [] : [rejected(`entry ${i} ${problem}`)]
  })
  if (broken.length > 0) return broken
  if (blocks.length === 0) return [rejected(NONE)]
  const places = new Map<string, number[]>()
  for (const [i, { body }] of blocks.entries()) {
    const bytes = body.replace(/\s+/g, '')
    addToGroup(places, bytes, i)
  }
  return [...places.values()]
    .filter((indices) => indices.length > 1)
    .map((indices) => rejected(`duplicate trust anchor (indices [${indices.join(' ')}])`))
}

const NONE = 'at least one trust anchor must be provided'

function anchorProblem(label: string, body: string): string | undefined {
  if (label !== 'CERTIFICATE') return `has bad block type: ${label}`
  if (/^[^\n]*:/.test(body)) return 'has PEM block headers'
  try {
    return isAuthority(element(decodeBytes(body.replace(/\s+/g, '')), 0))
      ? undefined
      : 'does not have the CA bit set'
  } catch {
    return 'does not parse as X.509'
  }
}

const EXTENSIONS = 0xa3
const OBJECT_IDENTIFIER = 0x06
const BASIC_CONSTRAINTS = '2.5.29.19'
const OCTETS = 0x04
const BOOLEAN = 0x01

/** RFC 5280, section 4.2.1.9. */
function isAuthority(certificate: Element): boolean {
  const [body] = children(certificate)
  if (body === undefined) throw new Error('no certificate')
  const extensions = children(body).find(({ tag }) => tag === EXTENSIONS)
  if (extensions === undefined) return false
  const [list] = children(extensions)
  for (const extension of list === undefined ? [] : children(list)) {
    const [id, ...rest] = children(extension)
    if (id?.tag !== OBJECT_IDENTIFIER || objectIdentifier(id.content) !== BASIC_CONSTRAINTS)
      continue
    const value = rest.find(({ tag }) => tag === OCTETS)
    const [authority] = value === undefined ? [] : children(element(value.content, 0))
    return authority?.tag === BOOLEAN && authority.content[0] !== 0
  }
  return false
}
