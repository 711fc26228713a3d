/**
 * Certificates that come in a header of ours, where no connection can prove one: in a browser tab, whose pages all belong to one
 * person. The certificate must hold as on any connection; that its key is held is taken for granted.
 */
import type { Clock, Signatures } from '../../environment'
import type { ApiRequest, ClientCertificate } from '../../http/messages'
import { CERTIFICATE_HEADER } from '../../names'
import { clientProblem, timeProblem } from './chain'
import { type Certificate, readCertificates } from './x509'

/** How many certificates are remembered with what was found of them. */
const REMEMBERED = 100

export interface PresentedEnvironment {
  clock: Clock
  signatures: Signatures
  /** PEM of those who vouch for clients. */
  authorities(): Promise<string>
}

/** @returns the request as if its connection had proved the certificate that it brings; itself if it brings none */
export function withPresentedCertificates(environment: PresentedEnvironment): (request: ApiRequest) => ApiRequest | Promise<ApiRequest> {
  const judged = new Map<string, { own: Certificate; problem: string | undefined }>()

  async function judge(pem: string): Promise<ClientCertificate> {
    const now = environment.clock.now()
    try {
      const known = judged.get(pem) ?? (await judgeAnew(pem, now))
      const { subject } = known.own
      const problem = known.problem ?? timeProblem(known.own, now)
      const shown = { ...subject, notAfter: known.own.notAfter }
      return problem === undefined ? { ...shown, authorities: ['clients'] } : { ...shown, authorities: [], problem }
    } catch (error) {
      return { commonName: '', organizations: [], authorities: [], problem: error instanceof Error ? error.message : String(error) }
    }
  }

  async function judgeAnew(pem: string, now: number) {
    const presented = readCertificates(decodeURIComponent(pem))
    const trusted = readCertificates(await environment.authorities())
    const own = presented[0] as Certificate
    const found = { own, problem: await clientProblem(presented, trusted, { now, signatures: environment.signatures }) }
    if (judged.size >= REMEMBERED) judged.clear()
    // What is wrong now may be right later, and the other way round, only where time is concerned.
    if (found.problem === undefined) judged.set(pem, found)
    return found
  }

  return (request) => {
    const pem = request.header(CERTIFICATE_HEADER)
    if (pem === undefined) return request
    return judge(pem).then((certificate) => ({ ...request, clientCertificate: () => certificate }))
  }
}
