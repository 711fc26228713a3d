/** All vendor names of the API: another vendor needs changes only here. */

export const API_DOMAIN = 'k8s.io'
export const MEDIA_TYPE = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  /** The vendor-neutral alias of the Protobuf media type. */
  protobufAlias: 'application/vnd.svc.protobuf',
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
  strategicMergePatch: 'application/strategic-merge-patch+json',
  applyPatch: 'application/apply-patch+yaml',
} as const

/**
 * The start of every Protobuf body. See kubernetes.io, "Kubernetes API Concepts", "Kubernetes
 * Protobuf encoding".
 */
export const PROTOBUF_MAGIC = [0x6b, 0x38, 0x73, 0x00] as const

export const LABEL = { namespaceName: 'kubernetes.io/metadata.name' } as const
export const ANNOTATION = {
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  initialEventsEnd: `${API_DOMAIN}/initial-events-end`,
} as const

/** Annotations and labels that control the simulation of an object. */
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

/** The client's name, since fetch cannot set User-Agent. */
export const CLIENT_HEADER = 'x-kubetab-client'
/**
 * A client certificate, since fetch does not control TLS: PEM, percent-encoded because of line
 * breaks.
 */
export const CERTIFICATE_HEADER = 'x-kubetab-client-certificate'
/**
 * The channels of a connection over one request and one streamed response, since fetch cannot
 * upgrade.
 */
export const CHANNELS_HEADER = 'x-kubetab-channels'
/** The upgrade that a client of the bridge requested, since fetch cannot send Upgrade. */
export const UPGRADE_HEADER = 'x-kubetab-upgrade'
/** The client name of the page's own background requests, to distinguish them from the user's. */
export const PAGE_AGENT = 'kubetab/page'
export const AUDIT_ID_HEADER = 'audit-id'
/** Makes a mutation idempotent when a browser dispatches it twice. */
export const IDEMPOTENCY_HEADER = 'x-kubetab-request-id'
