/** Self subject reviews, service account tokens and client certificates. */
import { isJsonObject, type JsonObject } from '../../../../engine/core/object'
import type { Actor } from '../../../state/actors'
import { ApiFailure, type ApiResponse, sendRequest } from '../../../state/client'
import { useConnection } from '../../../state/connection'
import { sendWithRetries } from '../../manifests/send-with-retries'
import { CHECK } from '../texts'
import { CERTIFICATE } from './texts'

export interface WhoIAm {
  username: string
  uid?: string
  groups: string[]
  extra?: Record<string, string[]>
}

const body = (response: ApiResponse): JsonObject => {
  if (!response.ok) throw new ApiFailure(response)
  return isJsonObject(response.json) ? response.json : {}
}

export async function whoAmI(actor?: Actor): Promise<WhoIAm> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const response = await sendRequest({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: JSON.stringify(review),
    ...(actor ? { actor } : {}),
  })
  const { status } = body(response) as { status?: { userInfo?: Partial<WhoIAm> } }
  const { username = '', groups = [], ...rest } = status?.userInfo ?? {}
  return { username, groups, ...rest }
}

/** The user of a credential, as the server names it. @throws ApiFailure */
export async function recognized(
  credential: Pick<Actor, 'token' | 'certificate' | 'from'>,
): Promise<Actor> {
  const { username, groups } = await whoAmI({ name: 'unknown', groups: [], ...credential })
  return {
    ...credential,
    name: username,
    groups: groups.filter((group) => group !== 'system:authenticated'),
  }
}

export interface IssuedToken {
  token: string
  expirationTimestamp: string
}

/** TokenRequest. @param audiences empty: the server's @throws ApiFailure */
export async function requestToken(
  account: { namespace: string; name: string },
  seconds: number,
  audiences: readonly string[],
): Promise<IssuedToken> {
  const { namespace, name } = account
  const spec = { expirationSeconds: seconds, ...(audiences.length > 0 ? { audiences } : {}) }
  const response = await sendRequest({
    method: 'POST',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}/token`,
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }),
  })
  const { status } = body(response) as { status?: Partial<IssuedToken> }
  return { token: status?.token ?? '', expirationTimestamp: status?.expirationTimestamp ?? '' }
}

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client'

export interface CertificateSubject {
  /** The user name. */
  commonName: string
  /** Groups. */
  organizations: string[]
}

/**
 * Creates a certificate signing request, and discards its new key. @returns name of the object
 * @throws ApiFailure
 */
export async function requestCertificate(
  subject: CertificateSubject,
  seconds: number,
): Promise<string> {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error(CHECK.notStarted)
  const { request } = await connection.channel.request('certificateRequest', subject)
  const stem =
    subject.commonName
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'user'
  const response = await sendRequest({
    method: 'POST',
    path: REQUESTS,
    body: JSON.stringify({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { generateName: `${stem}-` },
      spec: {
        request: btoa(request),
        signerName: CLIENT_SIGNER,
        usages: ['client auth'],
        expirationSeconds: seconds,
      },
    }),
  })
  const { metadata } = body(response) as { metadata?: { name?: string } }
  return metadata?.name ?? ''
}

interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
}

interface RequestObject extends JsonObject {
  status: { conditions?: (Condition & JsonObject)[]; certificate?: string }
}

async function readRequest(name: string): Promise<RequestObject> {
  const found = body(
    await sendRequest({
      method: 'GET',
      path: `${REQUESTS}/${encodeURIComponent(name)}`,
      origin: 'page',
    }),
  )
  return { status: {}, ...found } as RequestObject
}

const TRIES = 11

/** As `kubectl certificate approve`. @throws ApiFailure */
export async function approve(name: string): Promise<void> {
  const path = `${REQUESTS}/${encodeURIComponent(name)}/approval`
  const sent = await sendWithRetries(async () => {
    const object = await readRequest(name)
    const { conditions = [] } = object.status
    if (conditions.some(({ type }) => type === 'Approved')) return undefined
    const condition = {
      type: 'Approved',
      status: 'True',
      reason: 'KubectlApprove',
      message: 'This CSR was approved in the page.',
    }
    const approved = {
      ...object,
      status: { ...object.status, conditions: [...conditions, condition] },
    }
    return { response: await sendRequest({ method: 'PUT', path, body: JSON.stringify(approved) }) }
  }, TRIES)
  if (sent !== undefined) body(sent.response)
}

const LOOK_MILLISECONDS = 250
const LOOKS = 40

/** Waits for the signer. @returns PEM @throws Error on a denial or timeout */
export async function issuedCertificate(name: string): Promise<string> {
  for (let look = 0; look < LOOKS; look++) {
    const { status } = await readRequest(name)
    if (status.certificate) return atob(status.certificate)
    const against = status.conditions?.find(({ type }) => type === 'Failed' || type === 'Denied')
    if (against)
      throw new Error(
        `${against.type}: ${against.message ?? against.reason ?? CERTIFICATE.noReason}`,
      )
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS))
  }
  throw new Error(CERTIFICATE.notIssued)
}
