/** Cluster addresses of a service and the families they are of: checked before any is handed out (messages recorded). */
import type { FieldError } from '../../http/status'
import { duplicate, invalidValue, notSupported, required } from '../field-errors'
import { addressFamily, NOT_AN_ADDRESS } from '../rules/addresses'
import { invalidList } from '../rules/go-literal'
import { hasSelector, isExternalName, isHeadless, NONE, type ServiceSpec } from './service-types'

const ADDRESSES = 'spec.clusterIPs'
const FAMILIES = 'spec.ipFamilies'
const POLICY = 'spec.ipFamilyPolicy'
const MAX_ADDRESSES = 2

/** The families that the cluster hands out addresses of, the first by default. */
const CONFIGURED = ['IPv4']

/** Whether `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy` make sense together. */
export function addressErrors(spec: ServiceSpec): FieldError[] {
  if (isExternalName(spec)) return []
  const addresses = spec.clusterIPs ?? []
  const families = spec.ipFamilies ?? []
  const errors = pairErrors(spec.clusterIP ?? '', addresses)
  families.forEach((family, i) => {
    if (family !== 'IPv4' && family !== 'IPv6') errors.push(notSupported(`${FAMILIES}[${i}]`, family, ['IPv4', 'IPv6']))
    if (families.indexOf(family) < i) errors.push(duplicate(`${FAMILIES}[${i}]`, family))
  })
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']
  if (spec.ipFamilyPolicy && !policies.includes(spec.ipFamilyPolicy)) errors.push(notSupported(POLICY, spec.ipFamilyPolicy, policies))
  const malformed = malformedAddresses(addresses)
  errors.push(...malformed)
  if (addresses.length > MAX_ADDRESSES) errors.push(invalidList(ADDRESSES, addresses, `may only hold up to ${MAX_ADDRESSES} values`))
  if (malformed.length > 0) return errors
  if (addresses.length > 1 && new Set(addresses.map(addressFamily)).size < addresses.length)
    errors.push(invalidList(ADDRESSES, addresses, 'may specify no more than one IP for each IP family'))
  if (isHeadless(spec)) return errors
  addresses.forEach((address, i) => {
    const family = families[i]
    if ((family === 'IPv4' || family === 'IPv6') && addressFamily(address) !== family)
      errors.push(invalidValue(`${ADDRESSES}[${i}]`, address, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``))
  })
  return errors
}

function pairErrors(address: string, addresses: string[]): FieldError[] {
  if (address === '')
    return addresses.length === 0 ? [] : [invalidList(ADDRESSES, addresses, 'must be empty when `clusterIP` is not specified')]
  if (addresses.length === 0) return [required(ADDRESSES)]
  return addresses[0] === address ? [] : [invalidList(ADDRESSES, addresses, 'first value must match `clusterIP`')]
}

function malformedAddresses(addresses: string[]): FieldError[] {
  return addresses.flatMap((address, i) => {
    if (i > 0 || address !== NONE) return addressFamily(address) ? [] : [invalidValue(`${ADDRESSES}[${i}]`, address, NOT_AN_ADDRESS)]
    return addresses.length > 1 ? [invalidList(ADDRESSES, addresses, "'None' must be the first and only value")] : []
  })
}

/**
 * Fills in families and policy of a service that has addresses of its own.
 * @param old the service before an update
 * @returns why that cannot be
 */
export function settleFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (isExternalName(spec)) return []
  const loose = addressErrors(spec)
  if (loose.length > 0) return loose
  if (old && !isExternalName(old)) {
    if (!spec.ipFamilyPolicy) spec.ipFamilyPolicy = old.ipFamilyPolicy ?? null
    if (!spec.ipFamilies?.length) spec.ipFamilies = old.ipFamilies ?? null
  }
  // Without a selector a headless service may be of both families: nobody says which its endpoints have.
  const free = isHeadless(spec) && !hasSelector(spec)
  const asked = spec.ipFamilyPolicy ?? (free ? undefined : 'SingleStack')
  if (asked === 'SingleStack') {
    const several = (spec.clusterIPs?.length ?? 0) > 1 ? 'cluster IPs' : (spec.ipFamilies?.length ?? 0) > 1 ? 'IP families' : undefined
    if (several) {
      const why = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${several} are specified`
      return [invalidValue(POLICY, asked, why)]
    }
  }
  const families = [...(spec.ipFamilies ?? [])]
  const unknown = inferFamilies(spec.clusterIPs ?? [], families)
  if (unknown.length > 0) return unknown
  if (free) {
    if (families.length === 0) families.push(...CONFIGURED)
    if (families.length < 2 && asked !== 'SingleStack') families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4')
    spec.ipFamilies = families
    spec.ipFamilyPolicy ??= families.length > 1 ? 'RequireDualStack' : 'SingleStack'
    return []
  }
  const errors: FieldError[] = []
  if (asked === 'RequireDualStack') errors.push(invalidValue(POLICY, asked, 'this cluster is not configured for dual-stack services'))
  families.forEach((family, i) => {
    if (!CONFIGURED.includes(family)) errors.push(invalidValue(`${FAMILIES}[${i}]`, family, 'not configured on this cluster'))
  })
  if (errors.length > 0) return errors
  spec.ipFamilies = families.length > 0 ? families : [...CONFIGURED]
  spec.ipFamilyPolicy = asked ?? 'SingleStack'
  return []
}

/** Adds the families of addresses that no family is named for. */
function inferFamilies(addresses: string[], families: string[]): FieldError[] {
  const errors: FieldError[] = []
  addresses.forEach((address, i) => {
    const family = address === NONE ? undefined : addressFamily(address)
    if (family === undefined || i < families.length) return
    if (CONFIGURED.includes(family)) families.push(family)
    else errors.push(invalidList(`${ADDRESSES}[${i}]`, addresses, `${family} is not configured on this cluster`))
  })
  return errors
}
