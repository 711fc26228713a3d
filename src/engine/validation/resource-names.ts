/** `cpu`, `requests.storage`, `example.com/gpu`. Texts recorded from kube-apiserver 1.31. */

import type { FieldError } from '../http/status'
import { invalidPrinted, printedAsString } from './field-errors'
import { qualifiedNameProblems } from './names'

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage']
const OBJECTS = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
]
const SERVICE_KINDS = ['services.nodeports', 'services.loadbalancers']
const INTEGERS = new Set([...OBJECTS, ...SERVICE_KINDS])
const FOR_QUOTAS = new Set([
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  ...INTEGERS,
  'requests.storage',
])
const STANDARD = new Set([...FOR_QUOTAS, 'storage'])

const isQualified = (name: string): boolean => name.includes('/')
export const isHugePages = (name: string): boolean => name.startsWith('hugepages-')
const isHugePagesOfQuota = (name: string): boolean => /^(?:requests\.)?hugepages-/.test(name)
export const isQuotaResource = (name: string): boolean =>
  FOR_QUOTAS.has(name) || isHugePagesOfQuota(name)

/** Without a domain, or with a Kubernetes domain. */
export const isNativeResource = (name: string): boolean =>
  !isQualified(name) || name.includes('kubernetes.io/')

/** `example.com/gpu` */
export function isExtendedResource(name: string): boolean {
  return (
    !isNativeResource(name) &&
    !name.startsWith('requests.') &&
    qualifiedNameProblems(`requests.${name}`).length === 0
  )
}

export const isIntegerResource = (name: string): boolean =>
  INTEGERS.has(name) || isExtendedResource(name)

export const allowsOvercommit = (name: string): boolean =>
  isNativeResource(name) && !isHugePages(name)

/** A name in its own member is quoted. Recorded from kube-apiserver 1.31. */
type Shown = (field: string, name: string, why: string) => FieldError

export function resourceNameErrors(
  field: string,
  name: string,
  malformed: Shown = invalidName,
): FieldError[] {
  const problems = qualifiedNameProblems(name)
  if (problems.length > 0) return problems.map((problem) => malformed(field, name, problem))
  if (isQualified(name) || STANDARD.has(name) || isHugePagesOfQuota(name)) return []
  return [invalidName(field, name, 'must be a standard resource type or fully qualified')]
}

export function containerResourceErrors(
  field: string,
  name: string,
  malformed: Shown = invalidName,
): FieldError[] {
  const errors = resourceNameErrors(field, name, malformed)
  if (!isQualified(name)) {
    if (!COMPUTE.includes(name) && !isHugePages(name))
      errors.push(invalidName(field, name, 'must be a standard resource for containers'))
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidName(field, name, "doesn't follow extended resource name standard"))
  }
  return errors
}

export function quotaResourceErrors(field: string, name: string): FieldError[] {
  const errors = resourceNameErrors(field, name)
  if (!isQualified(name) && !isQuotaResource(name))
    errors.push(invalidName(field, name, 'must be a standard resource for quota'))
  return errors
}

/** Without quotes before Kubernetes 1.34. */
export const invalidName = (field: string, name: string, why: string): FieldError =>
  invalidPrinted(field, printedAsString(name, name), why)
