/** `example.com/signer-name`. Texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../http/status'
import { invalidValue, required, tooLong } from './field-errors'
import { dnsLabelProblems, dnsSubdomainProblems } from './names'

const LONGEST_DOMAIN = 253
/** A domain, a slash, and a path with room for a namespace and a name. */
const LONGEST_NAME = LONGEST_DOMAIN + 1 + 253 + 1 + 63

export function signerNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)]
  const [domain = '', path, ...more] = name.split('/')
  if (path === undefined || more.length > 0) {
    return [
      invalidValue(
        field,
        name,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ),
    ]
  }
  const labels = domain.split('.')
  return [
    ...(domain.length > LONGEST_DOMAIN ? [tooLong(field, LONGEST_DOMAIN)] : []),
    ...firstWrong(field, domain, labels, dnsLabelProblems),
    ...(labels.length < 2
      ? [
          invalidValue(
            field,
            domain,
            'should be a domain with at least two segments separated by dots',
          ),
        ]
      : []),
    ...firstWrong(field, path, path.split('.'), dnsSubdomainProblems),
    ...(name.length > LONGEST_NAME ? [tooLong(field, LONGEST_NAME)] : []),
  ]
}

function firstWrong(
  field: string,
  part: string,
  labels: string[],
  problemsOf: (label: string) => readonly string[],
): FieldError[] {
  const wrong = labels.find((label) => problemsOf(label).length > 0)
  if (wrong === undefined) return []
  return problemsOf(wrong).map((problem) =>
    invalidValue(field, part, `validating label ${JSON.stringify(wrong)}: ${problem}`),
  )
}
