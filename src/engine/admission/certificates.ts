/**
 * Three plugins check permissions for signers; CertificateSubjectRestriction rejects client
 * certificates of superusers.
 */
import type { Attributes } from '../authorization/authorizer'
import { equalJson, type KubeObject } from '../core/object'
import { type RequestSubject, readRequestSubject } from '../validation/certificate-request'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import type { AdmissionEnvironment } from './environment'
import { newForbidden } from './errors'

interface SigningRequest extends KubeObject {
  spec: { signerName?: string; request?: string }
  status?: { certificate?: string; conditions?: unknown }
}

interface TrustBundle extends KubeObject {
  spec?: { signerName?: string; trustBundle?: string }
}

const REQUESTS = 'certificatesigningrequests.certificates.k8s.io'
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client'
const SUPERUSERS = 'system:masters'

export function certificateApproval(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    operations: ['UPDATE'],
    resources: [`${REQUESTS}/approval`],
    async validate(attributes) {
      const { signerName = '' } = (attributes.oldObject as SigningRequest).spec
      if (await mayFor(environment, attributes, 'approve', signerName)) return
      throw newForbidden(
        attributes,
        `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`,
      )
    },
  }
}

export function certificateSigning(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    operations: ['UPDATE'],
    resources: [`${REQUESTS}/status`],
    async validate(attributes) {
      const old = attributes.oldObject as SigningRequest
      const { status } = attributes.object as SigningRequest
      const signed = (status?.certificate ?? '') !== (old.status?.certificate ?? '')
      if (!signed && equalJson(status?.conditions ?? [], old.status?.conditions ?? [])) return
      const { signerName = '' } = old.spec
      if (await mayFor(environment, attributes, 'sign', signerName)) return
      throw newForbidden(
        attributes,
        `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`,
      )
    },
  }
}

export function clusterTrustBundleAttest(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    operations: ['CREATE', 'UPDATE'],
    resources: ['clustertrustbundles.certificates.k8s.io'],
    async validate(attributes) {
      const { signerName = '' } = (attributes.object as TrustBundle).spec ?? {}
      const old = attributes.oldObject as TrustBundle | undefined
      if (
        signerName === '' ||
        (old && equalJson(old.spec, (attributes.object as TrustBundle).spec))
      )
        return
      if (await mayFor(environment, attributes, 'attest', signerName)) return
      throw newForbidden(
        attributes,
        `user not permitted to attest for signerName ${JSON.stringify(signerName)}`,
      )
    },
  }
}

export function certificateSubjectRestriction(): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    operations: ['CREATE'],
    resources: [REQUESTS],
    validate(attributes) {
      const { signerName, request = '' } = (attributes.object as SigningRequest).spec
      if (signerName !== CLIENT_SIGNER) return
      if (
        subjectOf(attributes, request, 'failed to parse CSR').organizations.includes(SUPERUSERS)
      ) {
        throw newForbidden(
          attributes,
          `use of ${CLIENT_SIGNER} signer with ${SUPERUSERS} group is not allowed`,
        )
      }
    },
  }
}

/** @throws ApiError 403 for invalid certificate requests */
export function subjectOf(
  attributes: AdmissionAttributes,
  request: string,
  failure: string,
): RequestSubject {
  try {
    return readRequestSubject(request)
  } catch (error) {
    throw newForbidden(attributes, `${failure}: ${(error as Error).message}`)
  }
}

/** Permissions name a signer, or all signers of a domain. */
async function mayFor(
  environment: AdmissionEnvironment,
  { user }: AdmissionAttributes,
  verb: string,
  signerName: string,
): Promise<boolean> {
  const attributes: Attributes = {
    user,
    verb,
    isResource: true,
    path: '',
    group: 'certificates.k8s.io',
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
    name: signerName,
  }
  const authorizer = environment.authorizer()
  for (const name of [signerName, `${signerName.split('/')[0]}/*`]) {
    if ((await authorizer.authorize({ ...attributes, name })).decision === 'allow') return true
  }
  return false
}
