/** From the command line to the address that `default/kubernetes` leads to: `--advertise-address`, `--endpoint-reconciler-type`. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { goQuote } from '../../engine/schema/go-text'
import type { ApiServerOptions } from '../../engine/server-options'
import { isLoopback } from './exposure'
import { FlagError, type Flags } from './flags'

const NONE = 'none'
/** Kube-apiserver also counts servers (`master-count`), which comes to the same where there is one. */
const RECONCILERS = ['master-count', 'lease', NONE]
const UNSPECIFIED = ['0.0.0.0', '::']

/**
 * @returns nothing where there is no HTTPS port with a number, or only this machine reaches it and no other address is named
 * @throws FlagError in kube-apiserver's words
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

/** Where the port listens; for every address the first that is not of this machine alone. */
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
