/**
 * Managers of a CertificateSigningRequest: status and approval have endpoints of their own.
 * Recorded from kube-apiserver 1.31.
 */
import { expect, it } from 'vitest'
import { hasPath } from '../../src/engine/apply/field-set'
import { resetFieldsOf } from '../../src/engine/apply/reset-fields'

const CONDITIONS = ['f:status', 'f:conditions']
const CERTIFICATE = ['f:status', 'f:certificate']

it.each([
  ['status', [['f:spec'], CONDITIONS], CERTIFICATE],
  ['approval', [['f:spec'], CERTIFICATE], CONDITIONS],
])('a write through `%s` owns only what it changes', (subresource, left, written) => {
  const reset = resetFieldsOf({
    group: 'certificates.k8s.io',
    kind: 'CertificateSigningRequest',
    subresource,
    hasStatus: true,
    statusLeavesMetadata: false,
  })
  for (const path of left) expect(hasPath(reset, path)).toBe(true)
  expect(hasPath(reset, written)).toBe(false)
})
