/** Every vendor word of the API in one place, so that another vocabulary is one edit away. */

/** Suffix of API groups, annotations and well-known labels. */
export const API_DOMAIN = 'k8s.io'
/** The release this server answers as unless it is told otherwise (releases/release.ts knows the others). */
export const RELEASE = { major: '1', minor: '31', git: 'v1.31.4' } as const

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

export const GROUP = {
  meta: `meta.${API_DOMAIN}`,
} as const

/** Request header by which first-party pages name their client, since fetch cannot set User-Agent. */
export const CLIENT_HEADER = 'x-kubetab-client'
/** Identity of a request, in requests and responses, by which its audit events are found. */
export const AUDIT_ID_HEADER = 'audit-id'
/** Request header that makes a mutation idempotent when a browser dispatches it twice. */
export const IDEMPOTENCY_HEADER = 'x-kubetab-request-id'
