/** Texts compared with kube-apiserver 1.31. */

import { isJsonObject, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { invalidValue, required } from '../../../validation/field-errors'
import { invalidStructure } from '../../../validation/go-literal'
import { invalidSelector, labelSelectorErrors } from '../../../validation/label-selectors'
import { unreservedPathErrors } from '../../../validation/paths'
import { signerNameErrors } from '../../../validation/signer-names'
import { trustBundleNameProblems } from '../../../validation/trust-bundle-names'
import { text } from '../volume-types'

export function trustBundleErrors(source: JsonObject, at: string): FieldError[] {
  const { name, signerName, path } = source
  const errors = whoseErrors(source, at)
  if (typeof name !== 'string' && typeof signerName !== 'string')
    errors.push(required(at, 'either name or signerName must be specified'))
  if (text(path) === '') errors.push(required(`${at}.path`))
  return [...errors, ...unreservedPathErrors(`${at}.path`, text(path))]
}

function whoseErrors(source: JsonObject, at: string): FieldError[] {
  const { name, signerName } = source
  const selector = isJsonObject(source.labelSelector) ? source.labelSelector : undefined
  if (typeof name === 'string' && typeof signerName === 'string')
    return [
      invalidStructure(
        at,
        'ClusterTrustBundleProjection',
        source,
        'only one of name and signerName may be used',
      ),
    ]
  if (typeof name === 'string') {
    const errors = name === '' ? [required(`${at}.name`, 'must be a valid object name')] : []
    for (const problem of trustBundleNameProblems(name, signerIn(name), false))
      errors.push(
        invalidValue(`${at}.name`, name, `not a valid clustertrustbundlename: ${problem}`),
      )
    if (selector)
      errors.push(
        invalidSelector(
          `${at}.labelSelector`,
          selector,
          'labelSelector must be unset if name is specified',
        ),
      )
    return errors
  }
  if (typeof signerName !== 'string') return []
  return [
    ...(signerName === '' ? [required(`${at}.signerName`, 'must be a valid signer name')] : []),
    ...signerNameErrors(`${at}.signerName`, signerName),
    ...(selector ? labelSelectorErrors(selector, `${at}.labelSelector`) : []),
  ]
}

/** `example.com:signer:bundle` belongs to `example.com/signer`. */
const signerIn = (name: string): string =>
  name.slice(0, Math.max(name.lastIndexOf(':'), 0)).replaceAll(':', '/')
