/** A server that other machines reach must authenticate its clients to start. */
import { isIP } from 'node:net'
import { FlagError, type Flags } from './flags'

export const isLoopback = (address: string): boolean =>
  /^127\./.test(address) || address === '::1' || address === 'localhost'

/** Flags that configure how clients authenticate. */
const PROOFS = [
  'token-auth-file',
  'client-ca-file',
  'authentication-config',
  'oidc-issuer-url',
  'authentication-token-webhook-config-file',
  'requestheader-client-ca-file',
] as const

/** @throws FlagError with the missing flags */
export function checkExposure(flags: Flags): void {
  const address = flags['bind-address']
  if (isLoopback(address)) return
  if (isIP(address) === 0)
    throw new FlagError(
      `invalid argument ${JSON.stringify(address)} for "--bind-address" flag: no IP address`,
    )
  if (flags['secure-port'] < 0)
    throw new FlagError(
      `--bind-address=${address} is where the HTTPS port listens, and there is none: give --secure-port. Plain HTTP stays on this machine, since it shows credentials to the network.`,
    )
  if (!PROOFS.some((name) => flags[name]))
    throw new FlagError(
      `--bind-address=${address} accepts other machines, but the default token is public: set one of ${PROOFS.map((name) => `--${name}`).join(', ')}`,
    )
}
