/** Every vendor word of the API in one place, so that another vocabulary is one edit away. */

/** Suffix of API groups, annotations and well-known labels. */
export const API_DOMAIN = 'k8s.io'
export const MEDIA_TYPE = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  /** The specification's vendor-neutral alias of the Protobuf media type. */
  protobufAlias: 'application/vnd.svc.protobuf',
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
  strategicMergePatch: 'application/strategic-merge-patch+json',
  applyPatch: 'application/apply-patch+yaml',
} as const

/** First four bytes of every Protobuf body (document 1, "Wire formats", rule 5). */
export const PROTOBUF_MAGIC = [0x6b, 0x38, 0x73, 0x00] as const

export const LABEL = { namespaceName: 'kubernetes.io/metadata.name' } as const
export const ANNOTATION = {
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  initialEventsEnd: `${API_DOMAIN}/initial-events-end`,
} as const

/** What a learner writes on objects to say how the simulation is to treat them. */
export const SIMULATION = {
  /** On a node, `failed`: it falls silent and does nothing any more. */
  state: 'simulation.kubetab/state',
  /** On a pod, YAML: what its containers do. */
  behavior: 'simulation.kubetab/behaviour',
  /** On a pod: `cpu=250m,memory=64Mi`, what its containers use together. */
  usage: 'simulation.kubetab/usage',
  /** On an autoscaler: `cpu=2`, what the ready pods share of what it scales. */
  load: 'simulation.kubetab/load',
} as const

/** What simulated nodes say that they run containers with. */
export const SIMULATED_RUNTIME = 'simulated://1'

export const GROUP = {
  meta: `meta.${API_DOMAIN}`,
} as const

/** Request header by which first-party pages name their client, since fetch cannot set User-Agent. */
export const CLIENT_HEADER = 'x-kubetab-client'
/** Request header in which a page shows a client certificate, since fetch has no say in TLS: PEM, percent-encoded, for header values have no line breaks. */
export const CERTIFICATE_HEADER = 'x-kubetab-client-certificate'
/** Request header that asks for the channels of a connection as one request and one streamed answer, since fetch upgrades nothing. */
export const CHANNELS_HEADER = 'x-kubetab-channels'
/** Request header that tells of the upgrade which a program asked the bridge for, since fetch sends no Upgrade. */
export const UPGRADE_HEADER = 'x-kubetab-upgrade'
/** The client's name in what a page asks to keep itself up to date: told apart from what a person does. */
export const PAGE_AGENT = 'kubetab/page'
/** Identity of a request, in requests and responses, by which its audit events are found. */
export const AUDIT_ID_HEADER = 'audit-id'
/** Request header that makes a mutation idempotent when a browser dispatches it twice. */
export const IDEMPOTENCY_HEADER = 'x-kubetab-request-id'
