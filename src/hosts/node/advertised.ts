/**
 * The endpoint of `default/kubernetes`, from `--advertise-address` and
 * `--endpoint-reconciler-type`.
 */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { goQuote } from '../../engine/schema/go-text'
import type { ApiServerOptions } from '../../engine/server/server-options'
import { isLoopback } from './exposure'
import { FlagError, type Flags } from './flags'

const NONE = 'none'
/** `master-count` equals `lease` for one server. */
const RECONCILERS = ['master-count', 'lease', NONE]
const UNSPECIFIED = ['0.0.0.0', '::']

/**
 * Empty in three cases:
 * - `--endpoint-reconciler-type` is `none`.
 * - The HTTPS port is off or has no fixed number.
 * - Only this machine reaches the port, and no other address is configured.
 * @throws FlagError with kube-apiserver's message
 */
export function advertisedOf(flags: Flags): Pick<ApiServerOptions, 'advertised'> {
  const {
    'advertise-address': given,
    'endpoint-reconciler-type': reconciler,
    'secure-port': port,
  } = flags
  if (!RECONCILERS.includes(reconciler))
    throw new FlagError(`Reconciler not implemented: ${reconciler}`)
  if (given !== '' && isIP(given) === 0)
    throw new FlagError(
      `invalid argument ${goQuote(given)} for "--advertise-address" flag: failed to parse IP: ${goQuote(given)}`,
    )
  if (reconciler === NONE || port <= 0) return {}
  const address =
    given === '' || UNSPECIFIED.includes(given) ? boundAddress(flags['bind-address']) : given
  if (address === undefined) return {}
  checkFamily(address, flags['service-cluster-ip-range'][0] ?? '')
  return { advertised: { address, port } }
}

/** For an unspecified address, the first external one. */
function boundAddress(bound: string): string | undefined {
  if (isLoopback(bound)) return undefined
  if (!UNSPECIFIED.includes(bound)) return bound
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const wanted = bound === '::' ? ['IPv6', 'IPv4'] : ['IPv4']
  const outside = all.filter(
    ({ internal, address }) => !internal && !/^(?:169\.254\.|fe80:)/i.test(address),
  )
  return wanted.flatMap((family) => outside.filter((one) => one.family === family))[0]?.address
}

/** @throws FlagError */
function checkFamily(address: string, range: string): void {
  if (range === '' || range.includes(':') === address.includes(':')) return
  throw new FlagError(
    `service IP family ${goQuote(range)} must match public address family ${goQuote(address)}`,
  )
}
