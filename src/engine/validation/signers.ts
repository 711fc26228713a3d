/**
 * See kubernetes.io, "Certificates and Certificate Signing Requests", "Kubernetes signers". Texts
 * recorded from kube-apiserver 1.31 (recording `cluster-signers`).
 */
import type { CertificateRequest } from './certificate-request'

const NODES = 'system:nodes'
const NODE_PREFIX = 'system:node:'
const CLIENT = ['client auth', 'digital signature']
const SERVING = ['digital signature', 'server auth']
const ENCIPHERMENT = 'key encipherment'

type Check = (request: CertificateRequest, usages: readonly string[]) => string | undefined

/** Only some keys need key encipherment. */
const areExactly = (usages: readonly string[], wanted: readonly string[]): boolean => {
  const given = new Set(usages.filter((usage) => usage !== ENCIPHERMENT))
  return given.size === wanted.length && wanted.every((usage) => given.has(usage))
}

const notUsages = (wanted: readonly string[]): string =>
  `usages did not match [${[...wanted, ENCIPHERMENT].sort().join(' ')}]`

function nodeProblem({ organizations, commonName }: CertificateRequest): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== NODES)
    return 'subject organization is not system:nodes'
  return commonName.startsWith(NODE_PREFIX)
    ? undefined
    : 'subject common name does not begin with system:node:'
}

/** undefined: the signer accepts. */
export const SIGNERS: Record<string, Check> = {
  'kubernetes.io/kube-apiserver-client'(_, usages) {
    const odd = usages.find((usage) => ![...CLIENT, ENCIPHERMENT].includes(usage))
    if (odd !== undefined) return `invalid usage for client certificate: ${odd}`
    return usages.includes('client auth')
      ? undefined
      : 'missing required usage for client certificate: client auth'
  },
  'kubernetes.io/kube-apiserver-client-kubelet'(request, usages) {
    const { dns = 0, addresses = 0, emails = 0, uris = 0 } = request.alternativeNames ?? {}
    const problem = nodeProblem(request)
    if (problem !== undefined) return problem
    if (dns > 0) return 'DNS subjectAltNames are not allowed'
    if (emails > 0) return 'Email subjectAltNames are not allowed'
    if (addresses > 0) return 'IP subjectAltNames are not allowed'
    if (uris > 0) return 'URI subjectAltNames are not allowed'
    return areExactly(usages, CLIENT) ? undefined : notUsages(CLIENT)
  },
  'kubernetes.io/kubelet-serving'(request, usages) {
    const { dns = 0, addresses = 0, emails = 0, uris = 0 } = request.alternativeNames ?? {}
    const problem = nodeProblem(request)
    if (problem !== undefined) return problem
    if (dns + addresses === 0) return 'DNS or IP subjectAltName is required'
    if (emails > 0) return 'Email subjectAltNames are not allowed'
    if (uris > 0) return 'URI subjectAltNames are not allowed'
    return areExactly(usages, SERVING) ? undefined : notUsages(SERVING)
  },
  'kubernetes.io/legacy-unknown': () => undefined,
}

/** May be approved automatically. */
export function isNodeClientRequest(
  signerName: string,
  request: CertificateRequest,
  usages: readonly string[],
): boolean {
  const name = 'kubernetes.io/kube-apiserver-client-kubelet'
  return signerName === name && SIGNERS[name]?.(request, usages) === undefined
}
