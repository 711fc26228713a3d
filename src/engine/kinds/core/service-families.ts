/** Validated before allocation. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { equalJson } from '../../core/object'
import type { FieldError } from '../../http/status'
import { repeatsIn } from '../../schema/repeats'
import { addressFieldErrors } from '../../validation/address-problems'
import { addressFamily } from '../../validation/addresses'
import { duplicate, invalidValue, notSupported, required } from '../../validation/field-errors'
import { invalidList } from '../../validation/go-literal'
import { hasSelector, isExternalName, isHeadless, NONE, type ServiceSpec } from './service-types'

const ADDRESSES = 'spec.clusterIPs'
const FAMILIES = 'spec.ipFamilies'
const POLICY = 'spec.ipFamilyPolicy'
const MAX_ADDRESSES = 2
const PREFERRED = 'PreferDualStack'

/** @param known stored addresses */
export function addressErrors(spec: ServiceSpec, known: readonly string[] = []): FieldError[] {
  if (isExternalName(spec)) return []
  const addresses = spec.clusterIPs ?? []
  const families = spec.ipFamilies ?? []
  const errors = pairErrors(spec.clusterIP ?? '', addresses)
  const isRepeat = repeatsIn(families)
  families.forEach((family, i) => {
    if (family !== 'IPv4' && family !== 'IPv6')
      errors.push(notSupported(`${FAMILIES}[${i}]`, family, ['IPv4', 'IPv6']))
    if (isRepeat(i)) errors.push(duplicate(`${FAMILIES}[${i}]`, family))
  })
  const policies = [PREFERRED, 'RequireDualStack', 'SingleStack']
  if (typeof spec.ipFamilyPolicy === 'string' && !policies.includes(spec.ipFamilyPolicy))
    errors.push(notSupported(POLICY, spec.ipFamilyPolicy, policies))
  const malformed = malformedAddresses(addresses, known)
  append(errors, malformed)
  if (addresses.length > MAX_ADDRESSES)
    errors.push(invalidList(ADDRESSES, addresses, `may only hold up to ${MAX_ADDRESSES} values`))
  if (malformed.some(({ since }) => since === undefined)) return errors
  if (addresses.length > 1 && new Set(addresses.map(addressFamily)).size < 2)
    errors.push(
      invalidList(ADDRESSES, addresses, 'may specify no more than one IP for each IP family'),
    )
  if (isHeadless(spec)) return errors
  addresses.forEach((address, i) => {
    const family = families[i]
    if ((family === 'IPv4' || family === 'IPv6') && addressFamily(address) !== family)
      errors.push(
        invalidValue(
          `${ADDRESSES}[${i}]`,
          address,
          `expected an ${family} value as indicated by \`ipFamilies[${i}]\``,
        ),
      )
  })
  return errors
}

function pairErrors(address: string, addresses: string[]): FieldError[] {
  if (address === '')
    return addresses.length === 0
      ? []
      : [invalidList(ADDRESSES, addresses, 'must be empty when `clusterIP` is not specified')]
  if (addresses.length === 0) return [required(ADDRESSES)]
  return addresses[0] === address
    ? []
    : [invalidList(ADDRESSES, addresses, 'first value must match `clusterIP`')]
}

function malformedAddresses(addresses: string[], known: readonly string[]): FieldError[] {
  return addresses.flatMap((address, i) => {
    if (i > 0 || address !== NONE) return addressFieldErrors(`${ADDRESSES}[${i}]`, address, known)
    return addresses.length > 1
      ? [invalidList(ADDRESSES, addresses, "'None' must be the first and only value")]
      : []
  })
}

/**
 * @param old its policy is kept @param configured the cluster's families, default first
 * @returns errors
 */
export function settleFamilies(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  configured: readonly string[],
): FieldError[] {
  if (isExternalName(spec) || (old && isSettled(spec, old))) return []
  // Its endpoints are unknown, so it may have both families.
  const free = isHeadless(spec) && !hasSelector(spec)
  const policy =
    spec.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? (free ? 'RequireDualStack' : 'SingleStack')
  spec.ipFamilyPolicy = policy
  const loose = addressErrors(spec).filter(({ since }) => since === undefined)
  if (loose.length > 0) return loose
  const errors = old ? reductionErrors(spec, old, policy) : []
  if (policy === 'SingleStack') {
    const several = (what: string) =>
      invalidValue(
        POLICY,
        policy,
        `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
      )
    if (spec.clusterIPs?.length === 2) errors.push(several('cluster IPs'))
    if (spec.ipFamilies?.length === 2) errors.push(several('IP families'))
  }
  const families = [...(spec.ipFamilies ?? [])]
  append(errors, inferFamilies(spec.clusterIPs ?? [], families, configured))
  if (errors.length > 0) return errors
  if (free) {
    if (families.length === 0) append(families, configured.slice(0, 1))
    if (families.length < 2 && policy !== 'SingleStack')
      families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4')
    spec.ipFamilies = families
    return []
  }
  if (policy === 'RequireDualStack' && configured.length < 2)
    errors.push(
      invalidValue(POLICY, policy, 'this cluster is not configured for dual-stack services'),
    )
  families.forEach((family, i) => {
    if (!configured.includes(family))
      errors.push(invalidValue(`${FAMILIES}[${i}]`, family, 'not configured on this cluster'))
  })
  if (errors.length > 0) return errors
  if (families.length === 0) append(families, configured.slice(0, 1))
  if (policy !== 'SingleStack' && families.length === 1)
    append(
      families,
      configured.filter((family) => family !== families[0]),
    )
  spec.ipFamilies = families
  return []
}

/**
 * A new cluster configuration does not change a PreferDualStack service until it changes itself.
 */
function isSettled(spec: ServiceSpec, old: ServiceSpec): boolean {
  if (spec.ipFamilyPolicy !== PREFERRED || old.ipFamilyPolicy !== PREFERRED) return false
  return (
    equalJson(spec.clusterIPs ?? [], old.clusterIPs ?? []) &&
    equalJson(spec.ipFamilies ?? [], old.ipFamilies ?? [])
  )
}

/** Only SingleStack may remove the second family. */
function reductionErrors(spec: ServiceSpec, old: ServiceSpec, policy: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [member, what] of [
    ['clusterIPs', 'cluster IP'] as const,
    ['ipFamilies', 'IP family'] as const,
  ]) {
    const [now, before] = [spec[member] ?? [], old[member] ?? []]
    if (policy === 'SingleStack') {
      if (now.length > 1 && equalJson(now, before)) spec[member] = now.slice(0, 1)
    } else if (now.length > 0 && now.length < before.length)
      errors.push(
        invalidValue(POLICY, policy, `must be 'SingleStack' to release the secondary ${what}`),
      )
  }
  return errors
}

function inferFamilies(
  addresses: string[],
  families: string[],
  configured: readonly string[],
): FieldError[] {
  const errors: FieldError[] = []
  addresses.forEach((address, i) => {
    const family = address === NONE ? undefined : addressFamily(address)
    if (family === undefined || i < families.length) return
    if (configured.includes(family)) families.push(family)
    else
      errors.push(
        invalidList(`${ADDRESSES}[${i}]`, addresses, `${family} is not configured on this cluster`),
      )
  })
  return errors
}
