/** Who owns what of a request for a certificate: its status and its approval are written through endpoints of their own (recorded). */
import { expect, it } from 'vitest'
import { hasPath } from '../../src/engine/apply/field-set'
import { resetFieldsOf } from '../../src/engine/apply/reset-fields'

const CONDITIONS = ['f:status', 'f:conditions']
const CERTIFICATE = ['f:status', 'f:certificate']

it.each([
  ['status', [['f:spec'], CONDITIONS], CERTIFICATE],
  ['approval', [['f:spec'], CERTIFICATE], CONDITIONS],
])('nobody comes to own through `%s` what it does not write', (subresource, left, written) => {
  const reset = resetFieldsOf('certificates.k8s.io', 'CertificateSigningRequest', subresource, true)
  for (const path of left) expect(hasPath(reset, path)).toBe(true)
  expect(hasPath(reset, written)).toBe(false)
})
