/**
 * Certificates that the cluster's own authority is to vouch for. They come with the connection, or in a header of ours where no
 * connection can prove one: in a browser tab, whose pages all belong to one person. There the certificate must hold as on any
 * connection; that its key is held is taken for granted.
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

/** Where a request has the certificate that is to be judged. */
export interface Presented {
  /** undefined: there is none */
  textOf(request: ApiRequest): string | undefined
  /** The client's own certificate first. @throws URIError */
  pemOf(text: string): string
}

export const inHeader: Presented = {
  textOf: (request) => request.header(CERTIFICATE_HEADER),
  pemOf: decodeURIComponent,
}

/** Of a connection whose client no authority that the host was given vouches for. */
export const onConnection: Presented = {
  textOf(request) {
    const shown = request.clientCertificate?.()
    return shown?.authorities.length === 0 ? shown.pem : undefined
  },
  pemOf: (text) => text,
}

/** @returns the request with what its certificate was found to be; itself if it brings none */
export function withPresentedCertificates(
  environment: PresentedEnvironment,
  presented: Presented,
): (request: ApiRequest) => ApiRequest | Promise<ApiRequest> {
  const judged = new Map<string, { own: Certificate; problem: string | undefined }>()

  async function judge(text: string): Promise<ClientCertificate> {
    const now = environment.clock.now()
    try {
      const known = judged.get(text) ?? (await judgeAnew(text, now))
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

  async function judgeAnew(text: string, now: number) {
    const shown = readCertificates(presented.pemOf(text))
    const trusted = readCertificates(await environment.authorities())
    const own = shown[0] as Certificate
    const found = {
      own,
      problem: await clientProblem(shown, trusted, { now, signatures: environment.signatures }),
    }
    if (judged.size >= REMEMBERED) judged.clear()
    // What is wrong now may be right later, and the other way round, only where time is concerned.
    if (found.problem === undefined) judged.set(text, found)
    return found
  }

  return (request) => {
    const text = presented.textOf(request)
    if (text === undefined) return request
    return judge(text).then((certificate) => proving(request, certificate))
  }
}

/** A request as it came but for who has proved to send it; its methods may be those of a class. */
function proving(request: ApiRequest, certificate: ClientCertificate): ApiRequest {
  const proved: ApiRequest = Object.create(request)
  proved.clientCertificate = () => certificate
  return proved
}
