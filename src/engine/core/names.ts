export const API_DOMAIN = 'k8s.io'
export const MEDIA_TYPE = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  protobufAlias: 'application/vnd.svc.protobuf',
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
  strategicMergePatch: 'application/strategic-merge-patch+json',
  applyPatch: 'application/apply-patch+yaml',
} as const

/** See kubernetes.io, "Kubernetes API Concepts", "Kubernetes Protobuf encoding". */
export const PROTOBUF_MAGIC = [0x6b, 0x38, 0x73, 0x00] as const

export const LABEL = { namespaceName: 'kubernetes.io/metadata.name' } as const
export const ANNOTATION = {
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  initialEventsEnd: `${API_DOMAIN}/initial-events-end`,
} as const

export const SIMULATION = {
  /** On a node: with `failed` it stops reporting and running pods. */
  state: 'simulation.kubetab/state',
  /** On a pod: the behavior of its containers, as YAML. */
  behavior: 'simulation.kubetab/behavior',
  /** On a pod: the total usage of its containers, `cpu=250m,memory=64Mi`. */
  usage: 'simulation.kubetab/usage',
  /** On an autoscaler: the load that the ready pods of its target share, `cpu=2`. */
  load: 'simulation.kubetab/load',
} as const

export const SIMULATED_RUNTIME = 'simulated://1'

export const GROUP = {
  meta: `meta.${API_DOMAIN}`,
} as const

/** Replaces User-Agent, which fetch cannot set. */
export const CLIENT_HEADER = 'x-kubetab-client'
/** PEM, percent-encoded: fetch does not control TLS. */
export const CERTIFICATE_HEADER = 'x-kubetab-client-certificate'
/** For one request and one streamed response: fetch cannot upgrade. */
export const CHANNELS_HEADER = 'x-kubetab-channels'
/** Replaces Upgrade, which fetch cannot send. */
export const UPGRADE_HEADER = 'x-kubetab-upgrade'
/** Of the page's background requests. */
export const PAGE_AGENT = 'kubetab/page'
export const AUDIT_ID_HEADER = 'audit-id'
/** Browsers may dispatch a mutation twice. */
export const IDEMPOTENCY_HEADER = 'x-kubetab-request-id'
