/**
 * Verifies client certificates from the connection, or in a tab from a header. There no proof of
 * the key is needed: all pages of a tab belong to one person.
 */
import type { Clock, Signatures } from '../../core/environment'
import { CERTIFICATE_HEADER } from '../../core/names'
import type { ApiRequest, ClientCertificate } from '../../http/messages'
import { clientProblem, timeProblem } from './chain'
import { type Certificate, readCertificates } from './x509'

const MAX_CACHED = 100

export interface PresentedEnvironment {
  clock: Clock
  signatures: Signatures
  /** CA certificates in PEM. */
  authorities(): Promise<string>
}

export interface Presented {
  textOf(request: ApiRequest): string | undefined
  /** @throws URIError */
  pemOf(text: string): string
}

export const inHeader: Presented = {
  textOf: (request) => request.header(CERTIFICATE_HEADER),
  pemOf: decodeURIComponent,
}

/** Only a certificate that no configured authority issued. */
export const onConnection: Presented = {
  textOf(request) {
    const shown = request.clientCertificate?.()
    return shown?.authorities.length === 0 ? shown.pem : undefined
  },
  pemOf: (text) => text,
}

export function withPresentedCertificates(
  environment: PresentedEnvironment,
  presented: Presented,
): (request: ApiRequest) => ApiRequest | Promise<ApiRequest> {
  const verified = new Map<string, { own: Certificate; problem: string | undefined }>()

  async function verify(text: string): Promise<ClientCertificate> {
    const now = environment.clock.now()
    try {
      const known = verified.get(text) ?? (await verifyUncached(text, now))
      const { subject } = known.own
      const problem = known.problem ?? timeProblem(known.own, now)
      const shown = { ...subject, notAfter: known.own.notAfter }
      return problem === undefined
        ? { ...shown, authorities: ['clients'] }
        : { ...shown, authorities: [], problem }
    } catch (error) {
      return {
        commonName: '',
        organizations: [],
        authorities: [],
        problem: error instanceof Error ? error.message : String(error),
      }
    }
  }

  async function verifyUncached(text: string, now: number) {
    const shown = readCertificates(presented.pemOf(text))
    const trusted = readCertificates(await environment.authorities())
    const own = shown[0] as Certificate
    const found = {
      own,
      problem: await clientProblem(shown, trusted, { now, signatures: environment.signatures }),
    }
    if (verified.size >= MAX_CACHED) verified.clear()
    // Errors can depend on the time, so only valid certificates are cached.
    if (found.problem === undefined) verified.set(text, found)
    return found
  }

  return (request) => {
    const text = presented.textOf(request)
    if (text === undefined) return request
    return verify(text).then((certificate) => proving(request, certificate))
  }
}

/** Inherits the request's methods, which may be those of a class. */
function proving(request: ApiRequest, certificate: ClientCertificate): ApiRequest {
  const proved: ApiRequest = Object.create(request)
  proved.clientCertificate = () => certificate
  return proved
}
