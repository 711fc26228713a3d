/** RFC 5280, section 6. Error texts: Go's crypto/x509. */
import { fitsAlgorithm, type Signatures, timestamp } from '../../core/environment'
import { equalJson } from '../../core/object'
import type { Certificate } from './x509'

const MOST_BETWEEN = 8
const CLIENT_USAGES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']

/**
 * @param presented the client's certificate, then intermediate ones
 * @returns why it is invalid
 */
export async function clientProblem(
  [own, ...others]: readonly Certificate[],
  trusted: readonly Certificate[],
  { now, signatures }: { now: number; signatures: Signatures },
): Promise<string | undefined> {
  if (own === undefined) return 'x509: malformed certificate'
  let current = own
  for (let between = 0; between <= MOST_BETWEEN; between++) {
    const late = timeProblem(current, now)
    if (late !== undefined) return late
    if (await issuerAmong(trusted, current, signatures)) return usageProblem(own)
    const next = await issuerAmong(others, current, signatures)
    if (next === undefined || next === current) break
    current = next
  }
  return 'x509: certificate signed by unknown authority'
}

/** Not cached, unlike the other checks. */
export function timeProblem({ notBefore, notAfter }: Certificate, now: number): string | undefined {
  const wrong = 'x509: certificate has expired or is not yet valid: current time'
  if (!(now >= notBefore)) return `${wrong} ${timestamp(now)} is before ${shown(notBefore)}`
  if (!(now <= notAfter + 999)) return `${wrong} ${timestamp(now)} is after ${shown(notAfter)}`
  return undefined
}

const shown = (time: number): string => (Number.isNaN(time) ? 'an unknown time' : timestamp(time))

const usageProblem = ({ usages }: Certificate): string | undefined =>
  usages === undefined || usages.some((usage) => CLIENT_USAGES.includes(usage))
    ? undefined
    : 'x509: certificate specifies an incompatible key usage'

async function issuerAmong(
  authorities: readonly Certificate[],
  { issuerName, signed, signature, algorithm }: Certificate,
  signatures: Signatures,
): Promise<Certificate | undefined> {
  for (const authority of authorities) {
    const key = authority.publicKey
    if (
      !authority.isAuthority ||
      key === undefined ||
      algorithm === undefined ||
      !fitsAlgorithm(key, algorithm)
    )
      continue
    if (!equalJson([...authority.subjectName], [...issuerName])) continue
    if (await signatures.verify(key, signature, signed, algorithm)) return authority
  }
  return undefined
}
