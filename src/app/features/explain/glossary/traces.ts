import { docs, type Entry, entriesOf, PAGES } from '../entry'

export const EVENTS = entriesOf('event', {
  ADDED: [
    'An object was created, now matches the selector, or existed when the watch started.',
    PAGES.watching,
  ],
  MODIFIED: ['A watched object was modified. Includes the whole object.', PAGES.watching],
  DELETED: [
    'The object was deleted or no longer matches the selector. Includes its last state.',
    PAGES.watching,
  ],
  BOOKMARK: [
    'No change: the resourceVersion up to which all events were sent, so that a client can resume there.',
  ],
  ERROR: [
    'The stream cannot go on; the object is a Status. With 410, list again and watch from there.',
    PAGES.watching,
  ],
})

export const AUDIT = entriesOf('audit', {
  level: [
    'The audit level: Metadata records the request, Request adds its body, RequestResponse adds the response body. The audit policy decides.',
    PAGES.audit,
  ],
  auditID: ['The ID of the request; the response has it in the header Audit-Id.', PAGES.audit],
  stage: [
    'The stage of the request: received, response started, response complete, or panic.',
    PAGES.audit,
  ],
  requestURI: ['Path and query, as they were sent.', PAGES.audit],
  verb: ['The API verb for resource requests, the lower-case HTTP method for others.', PAGES.audit],
  user: ['The authenticated user: name, UID, groups, extra.', PAGES.audit],
  impersonatedUser: ['The impersonated user, if any.', PAGES.audit],
  sourceIPs: ['From where the request came. In a tab that is the tab itself.', PAGES.audit],
  userAgent: ['The user agent of the client.', PAGES.audit],
  objectRef: ['Which object was meant: resource, namespace, name, subresource.', PAGES.audit],
  responseStatus: ['What came of it: the code and, for failures, the reason.', PAGES.audit],
  requestObject: ['The request body, if the level includes it.', PAGES.audit],
  responseObject: ['The response body, if the level includes it.', PAGES.audit],
  requestReceivedTimestamp: ['When the request came.', PAGES.audit],
  stageTimestamp: ['When this stage was reached.', PAGES.audit],
  annotations: [
    "Annotations of the request's stages: the authorization decision and reason, webhook mutations, policy results.",
    PAGES.audit,
  ],
  Metadata: ['Records request metadata, without bodies.', PAGES.audit],
  Request: ['Records metadata and the request body.', PAGES.audit],
  RequestResponse: ['Records metadata, request and response bodies.', PAGES.audit],
  None: ['No event is recorded for matching requests.', PAGES.audit],
  RequestReceived: ['Recorded when the request arrives, before it is handled.', PAGES.audit],
  ResponseStarted: [
    'Recorded when the response headers of a long-running request are sent.',
    PAGES.audit,
  ],
  ResponseComplete: ['Recorded when the response is complete.', PAGES.audit],
  Panic: ['Written when the server failed while it served the request.', PAGES.audit],
  'authorization.k8s.io/decision': [
    'Whether the request was allowed.',
    docs('Audit annotations', 'reference/labels-annotations-taints/audit-annotations/'),
  ],
  'authorization.k8s.io/reason': [
    'The reason: the binding that allowed the request, or why none did.',
    docs('Audit annotations', 'reference/labels-annotations-taints/audit-annotations/'),
  ],
  'k8s.io/deprecated': ['The request used a version of the API that is deprecated.'],
  'k8s.io/removed-release': ['The version in which this API version is removed.'],
})

export const OWNERSHIP = entriesOf('ownership', {
  manager: [
    'The name under which a client owns fields. Two clients of one name are one manager.',
    PAGES.apply,
  ],
  Apply: [
    'Server-side apply: the manager declares its desired fields. Fields omitted from its next apply are relinquished, and removed if no other manager owns them.',
  ],
  Update: [
    'Create, update or patch: the manager owns the fields it changed last, and takes ownership without conflicts.',
  ],
  shared: ['Several managers own the field with the same value. Changing it is a conflict.'],
  unowned: [
    'A default, or something that the server worked out: the first to apply it owns it, without a conflict.',
  ],
  atomic: [
    'Atomic: the list or map has one owner, and changing a part replaces it.',
    docs('Merge strategy', 'reference/using-api/server-side-apply/#merge-strategy'),
  ],
  managedFields: [
    'Field ownership: one entry for each manager, operation and API version, with its set of fields.',
    PAGES.apply,
  ],
  'f:': ['In the tree of owned fields: a field of this name.'],
  'k:': ['In the tree of owned fields: the list item that has these keys.', PAGES.apply],
  'v:': ['In the tree of owned fields: the item of a set that has this value.', PAGES.apply],
  'i:': ['In the set of owned fields: the list item at this index.', PAGES.apply],
  '.': ['In the tree of owned fields: the thing itself, not only what is in it.', PAGES.apply],
})

/** The first matching pattern applies. */
const WARNING_WORDS: { name: string; pattern: RegExp; text: string; see: Entry['see'] }[] = [
  {
    name: 'unknown field',
    pattern: /unknown field "/,
    text: 'The kind has no such field: it was dropped. Mostly a slip of the pen, or a wrong indentation.',
    see: [
      docs(
        'Validation for unrecognized or duplicate fields',
        'reference/using-api/api-concepts/#validation-for-unrecognized-or-duplicate-fields',
      ),
    ],
  },
  {
    name: 'duplicate field',
    pattern: /duplicate field "/,
    text: 'The field is duplicated; one of the two was dropped.',
    see: [
      docs(
        'Validation for unrecognized or duplicate fields',
        'reference/using-api/api-concepts/#validation-for-unrecognized-or-duplicate-fields',
      ),
    ],
  },
  {
    name: 'deprecated version',
    pattern: / is deprecated in v/,
    text: 'This API version is deprecated and will be removed: use the one in the message.',
    see: [docs('Deprecated API migration guide', 'reference/using-api/deprecation-guide/')],
  },
  {
    name: 'would violate PodSecurity',
    pattern: /^(?:(?!violate).)*violate.* PodSecurity/s,
    text: 'The pod violates the Pod Security Standard of its namespace. It was admitted, because the level only warns, or only pods themselves are rejected.',
    see: [docs('Pod Security standards', 'concepts/security/pod-security-standards/')],
  },
  {
    name: 'Validation failed for ValidatingAdmissionPolicy',
    pattern: /^Validation failed for ValidatingAdmissionPolicy/,
    text: 'A policy found fault with it, and is bound so that it only warns.',
    see: [
      docs(
        'Validating admission policy',
        'reference/access-authn-authz/validating-admission-policy/',
      ),
    ],
  },
  {
    name: 'deprecated since',
    pattern: /deprecated (since|in) v?\d/,
    text: 'The field, label or annotation still works and will go.',
    see: [docs('Kubernetes deprecation policy', 'reference/using-api/deprecation-policy/')],
  },
  {
    name: 'requested expiration shortened',
    pattern: /requested expiration of/,
    text: 'The token expires earlier than requested: the server limits its lifetime.',
    see: [docs('Service accounts', 'reference/access-authn-authz/service-accounts-admin/')],
  },
]

export const WARNINGS: Entry[] = [
  ...WARNING_WORDS.map(
    ({ name, pattern, text, see }): Entry => ({
      id: `warning/${name}`,
      kind: 'warning',
      name,
      text,
      see,
      pattern,
    }),
  ),
  {
    id: 'warning/other',
    kind: 'warning',
    name: 'a warning',
    text: 'The request succeeded with a warning: a setting has no effect, or can have an unexpected one.',
    see: [PAGES.concepts],
    pattern: /(?:)/,
  },
]
