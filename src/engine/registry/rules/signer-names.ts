/** Names of signers: a domain and a path, `example.com/signer-name` (texts recorded). */
import type { FieldError } from '../../http/status'
import { invalidValue, required, tooLong } from '../field-errors'
import { dnsLabelProblems, dnsSubdomainProblems } from './names'

const LONGEST_DOMAIN = 253

export function signerNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)]
  const [domain = '', path, ...more] = name.split('/')
  if (path === undefined || more.length > 0) {
    return [invalidValue(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")]
  }
  const labels = domain.split('.')
  const wrong = (part: string, label: string) => (problem: string) =>
    invalidValue(field, part, `validating label ${JSON.stringify(label)}: ${problem}`)
  return [
    ...(domain.length > LONGEST_DOMAIN ? [tooLong(field, LONGEST_DOMAIN)] : []),
    ...labels.flatMap((label) => dnsLabelProblems(label).map(wrong(domain, label))),
    ...(labels.length < 2 ? [invalidValue(field, domain, 'should be a domain with at least two segments separated by dots')] : []),
    ...path.split('.').flatMap((label) => dnsSubdomainProblems(label).map(wrong(path, label))),
  ]
}
