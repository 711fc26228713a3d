/** RFC 1123, RFC 6125. Texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../http/status'
import { addressFamily } from './addresses'
import { invalidValue, required } from './field-errors'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  regexMessage,
  wildcardSubdomainProblems,
} from './names'

/** @param wildcard allows `*.example.com` */
export function hostNameErrors(field: string, host: string, wildcard: boolean): FieldError[] {
  const problems =
    wildcard && host.includes('*') ? wildcardSubdomainProblems(host) : dnsSubdomainProblems(host)
  return problems.map((problem) => invalidValue(field, host, problem))
}

export function addressAsHostErrors(field: string, host: string): FieldError[] {
  return addressFamily(host)
    ? [invalidValue(field, host, 'must be a DNS name, not an IP address')]
    : []
}

/** At least two labels, with an optional final dot. */
export function fullDomainErrors(field: string, given: string): FieldError[] {
  if (given === '') return [required(field)]
  const name = given.endsWith('.') ? given.slice(0, -1) : given
  const problems = dnsSubdomainProblems(name)
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem))
  const parts = name.split('.')
  if (parts.length < 2)
    return [
      invalidValue(field, name, 'should be a domain with at least two segments separated by dots'),
    ]
  return parts.flatMap((label) =>
    dnsLabelProblems(label).map((problem) => invalidValue(field, label, problem)),
  )
}

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
const isPath = new RegExp(`^${PATH}$`)

/** `acme.io/foo` */
export function domainPathErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)]
  const slash = name.indexOf('/')
  const [host, path] = [name.slice(0, slash), name.slice(slash + 1)]
  if (slash < 1 || path === '')
    return [invalidValue(field, name, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const errors = dnsSubdomainProblems(host).map((problem) => invalidValue(field, host, problem))
  if (!isPath.test(path)) errors.push(invalidValue(field, path, regexMessage('Invalid path', PATH)))
  return errors
}
