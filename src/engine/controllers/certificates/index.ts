/**
 * Approves, issues and deletes CertificateSigningRequests.
 * https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
 */

import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1'
import { readCertificates } from '../../authentication/certificates/x509'
import { timestamp } from '../../core/environment'
import { smallest } from '../../core/lists'
import { draftOf, entryOf } from '../../core/object'
import { base64OfBytes, bytesOfBase64 } from '../../schema/base64'
import {
  type CertificateRequest,
  readCertificateRequest,
} from '../../validation/certificate-request'
import { isNodeClientRequest, SIGNERS } from '../../validation/signers'
import type { Controller } from '../runtime/manager'
import type { Stored } from '../runtime/stored'
import { authorityOf } from './authority'

type Request = Stored<CertificateSigningRequest>
const ACCOUNT = 'certificate-controller'
const YEAR_SECONDS = 365 * 24 * 3600
const LEAST_SECONDS = 600
const HOUR = 3600_000

const has = ({ status }: Request, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type) ?? false
const isDecided = (request: Request): boolean => has(request, 'Approved') || has(request, 'Denied')

const contentsOf = ({ spec }: Request): CertificateRequest | undefined => {
  try {
    return readCertificateRequest(spec?.request ?? '')
  } catch {
    return undefined
  }
}

/** @param again resources whose changes recheck all requests */
const follow = (
  name: string,
  account: string,
  sync: (given: {
    client: ReturnType<Parameters<Controller['run']>[0]['client']>
    manager: Parameters<Controller['run']>[0]
    request: Request
  }) => Promise<number | undefined>,
  again: readonly [group: string, resource: string][] = [],
): Controller => ({
  name,
  run(manager) {
    const requests = manager.informer<CertificateSigningRequest>(
      'certificates.k8s.io',
      'certificatesigningrequests',
    )
    const client = manager.client(account)
    const queue = manager.queue(name, async (key) => {
      const request = requests.get(key)
      const again = request && (await sync({ client, manager, request }))
      if (again !== undefined) queue.addAfter(key, again)
    })
    requests.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    for (const [group, resource] of again)
      manager.informer(group, resource).onChange(() => {
        for (const request of requests.list()) queue.add(request.metadata.name ?? '')
      })
  },
})

const condition = (type: string, reason: string, message: string, now: number) => {
  const time = timestamp(now)
  return { type, status: 'True', reason, message, lastUpdateTime: time, lastTransitionTime: time }
}

/** Changed roles may permit more requests. */
const RIGHTS = ['clusterrolebindings', 'clusterroles'].map((resource): [string, string] => [
  'rbac.authorization.k8s.io',
  resource,
])

export const certificateApproving = follow(
  'certificatesigningrequest-approving-controller',
  ACCOUNT,
  async ({ client, manager, request }) => {
    if (request.status?.certificate || isDecided(request)) return undefined
    const {
      signerName = '',
      usages = [],
      username = '',
      uid,
      groups = [],
      extra,
    } = request.spec ?? {}
    const contents = contentsOf(request)
    if (contents === undefined || !isNodeClientRequest(signerName, contents, usages))
      return undefined
    const own = username === contents.commonName
    const permissions = own ? ['selfnodeclient', 'nodeclient'] : ['nodeclient']
    for (const subresource of permissions) {
      const resourceAttributes = {
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
        verb: 'create',
        subresource,
        version: '*',
      }
      const review = await client.create<{ status?: { allowed?: boolean } }>({
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          user: username,
          ...(uid && { uid }),
          groups,
          ...(extra && { extra }),
          resourceAttributes,
        },
      })
      if (!review.status?.allowed) continue
      const message = `Auto approving ${subresource === 'selfnodeclient' ? 'self ' : ''}kubelet client certificate after SubjectAccessReview.`
      const conditions = [
        ...(request.status?.conditions ?? []),
        condition('Approved', 'AutoApproved', message, manager.now()),
      ]
      await client.update(
        { ...draftOf(request), status: { ...request.status, conditions } },
        'approval',
      )
      return undefined
    }
    return undefined
  },
  RIGHTS,
)

export const certificateSigning = follow(
  'certificatesigningrequest-signing-controller',
  ACCOUNT,
  async ({ client, manager, request }) => {
    const { signerName = '', usages = [], expirationSeconds = YEAR_SECONDS } = request.spec ?? {}
    const check = entryOf(SIGNERS, signerName)
    const authority = authorityOf(manager.engine)
    if (
      !check ||
      !authority ||
      !has(request, 'Approved') ||
      has(request, 'Denied') ||
      has(request, 'Failed') ||
      request.status?.certificate
    )
      return undefined
    const contents = contentsOf(request)
    const problem = contents === undefined ? 'unable to parse csr' : check(contents, usages)
    if (contents === undefined || problem !== undefined) {
      const conditions = [
        ...(request.status?.conditions ?? []),
        condition('Failed', 'SignerValidationFailure', problem ?? '', manager.now()),
      ]
      await client.update(
        { ...draftOf(request), status: { ...request.status, conditions } },
        'status',
      )
      return undefined
    }
    const seconds = Math.min(YEAR_SECONDS, Math.max(LEAST_SECONDS, expirationSeconds))
    const certificate = base64OfBytes([
      ...new TextEncoder().encode(await authority.sign(contents, usages, seconds * 1000)),
    ])
    await client.update(
      { ...draftOf(request), status: { ...request.status, certificate } },
      'status',
    )
    return undefined
  },
)

/** Pending requests last a day, finished ones an hour or until expiry. */
export const certificateCleaning = follow(
  'certificatesigningrequest-cleaner-controller',
  ACCOUNT,
  async ({ client, manager, request }) => {
    const due = smallest(endsOf(request))
    if (due === Number.POSITIVE_INFINITY) return undefined
    if (due > manager.now()) return due - manager.now()
    await client.delete(request)
    return undefined
  },
)

/** @returns deletion times; Infinity: never */
function endsOf({ metadata, status = {} }: Request): number[] {
  const { conditions = [], certificate } = status
  const never = Number.POSITIVE_INFINITY
  const at = (time: string | undefined, later: number) => (time ? Date.parse(time) + later : never)
  if (conditions.length === 0) return [at(metadata.creationTimestamp, 24 * HOUR)]
  return conditions.flatMap(({ type, lastUpdateTime }) => {
    if (type === 'Denied' || type === 'Failed') return at(lastUpdateTime, HOUR)
    return type === 'Approved' && certificate
      ? [at(lastUpdateTime, HOUR), expiryOf(certificate)]
      : never
  })
}

/** @param certificate PEM in base64; invalid ones never expire */
function expiryOf(certificate: string): number {
  try {
    const [first] = readCertificates(new TextDecoder().decode(bytesOfBase64(certificate)))
    return first?.notAfter ?? Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
