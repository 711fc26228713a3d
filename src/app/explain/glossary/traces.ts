/** What is told about what happened: events of watches, members and words of audit events, ownership, warnings. */
import { docs, type Entry, entriesOf, PAGES, spec } from '../entry'

const watching = spec(1, 'Watching')

export const EVENTS = entriesOf('event', {
  ADDED: [
    'An object came into what is watched: it was made, it begins to fit the selector, or it was there when the watch began.',
    spec(1, 'Watch event document'),
    spec(1, 'Events'),
    PAGES.watching,
  ],
  MODIFIED: [
    'An object that the watch knows has a new version. The whole object comes along.',
    spec(1, 'Watch event document'),
    PAGES.watching,
  ],
  DELETED: ['The object is gone, or does not fit the selector any more. Its last state comes along.', PAGES.watching],
  BOOKMARK: [
    'Nothing changed: the server says up to which version it has told everything, so that a client can resume there.',
    spec(1, 'Events'),
    spec(1, 'Watch event document'),
  ],
  ERROR: ['The stream cannot go on; the object is a Status. With 410, list again and watch from there.', watching, PAGES.watching],
})

export const AUDIT = entriesOf('audit', {
  level: [
    'How much is told: Metadata names the request, Request adds its body, RequestResponse the answer too. The audit policy decides.',
    PAGES.audit,
  ],
  auditID: ['The identity of the request; the answer carries it in the header Audit-Id.', PAGES.audit],
  stage: ['At which moment this event was written: on arrival, when a stream began, when it was answered, or when it failed.', PAGES.audit],
  requestURI: ['Path and query, as they were sent.', PAGES.audit],
  verb: ['What was asked: the API’s verb for resources, the method for other paths.', spec(1, 'Verbs'), PAGES.audit],
  user: ['Who asked, as authentication saw it: name, uid, groups, extra.', spec(2, 'User attributes'), PAGES.audit],
  impersonatedUser: ['As whom they asked, where they acted as somebody else.', PAGES.audit],
  sourceIPs: ['From where the request came. In a tab that is the tab itself.', PAGES.audit],
  userAgent: ['Which program asked.', PAGES.audit],
  objectRef: ['Which object was meant: resource, namespace, name, subresource.', PAGES.audit],
  responseStatus: ['What came of it: the code and, for failures, the reason.', spec(1, 'Errors'), PAGES.audit],
  requestObject: ['The body that was sent, where the level asks for it.', PAGES.audit],
  responseObject: ['The answer’s body, where the level asks for it.', PAGES.audit],
  requestReceivedTimestamp: ['When the request came.', PAGES.audit],
  stageTimestamp: ['When this stage was reached.', PAGES.audit],
  annotations: ['What stages of the request noted: who allowed it and why, which webhook changed it, what a policy found.', PAGES.audit],
  Metadata: ['The level that tells who asked for what, without bodies.', PAGES.audit],
  Request: ['The level that tells the request’s body too.', PAGES.audit],
  RequestResponse: ['The level that tells the bodies of request and answer.', PAGES.audit],
  None: ['The level that tells nothing.', PAGES.audit],
  RequestReceived: ['Written as soon as the request came, before anybody looked at it.', PAGES.audit],
  ResponseStarted: ['Written when the head of a long answer went out: a watch has begun.', PAGES.audit],
  ResponseComplete: ['Written when the answer was complete.', PAGES.audit],
  Panic: ['Written when the server failed while it served the request.', PAGES.audit],
  'authorization.k8s.io/decision': [
    'Whether the request was allowed.',
    spec(2, 'Authorization'),
    docs('Audit annotations', 'reference/labels-annotations-taints/audit-annotations/'),
  ],
  'authorization.k8s.io/reason': [
    'Why: which binding gave the right, or why nobody did.',
    spec(2, 'Authorization'),
    docs('Audit annotations', 'reference/labels-annotations-taints/audit-annotations/'),
  ],
  'k8s.io/deprecated': ['The request used a version of the API that is deprecated.', spec(1, 'Deprecated endpoints')],
  'k8s.io/removed-release': [
    'The release that will not serve this version any more.',
    spec(1, 'Deprecated endpoints'),
    spec(1, 'Deprecation rules'),
  ],
})

const ownership = spec(1, 'Field ownership')

export const OWNERSHIP = entriesOf('ownership', {
  manager: ['The name under which a client owns fields. Two clients of one name are one manager.', ownership, PAGES.apply],
  Apply: [
    'The manager applies: it declares all that it wants. What it leaves out of its next apply it gives up, and what nobody else owns is then removed.',
    ownership,
    spec(1, 'Server-side apply'),
  ],
  Update: ['The manager writes: it owns what it changed last, and takes what it changes without asking.', ownership],
  shared: ['Several managers own the field with the same value. Whoever changes it alone meets a conflict.', ownership],
  nobody: ['A default, or something that the server worked out: the first to apply it owns it, without a conflict.', ownership],
  atomic: [
    'The list or map is owned as a whole: changing one part means owning all of it.',
    spec(1, 'Server-side apply'),
    docs('Merge strategy', 'reference/using-api/server-side-apply/#merge-strategy'),
  ],
  managedFields: [
    'The server’s account of who owns what: an entry for each manager, operation and version, with a tree of its fields.',
    spec(1, 'Common object metadata'),
    ownership,
    PAGES.apply,
  ],
  'f:': ['In the tree of owned fields: a field of this name.', spec(1, 'Common object metadata'), ownership],
  'k:': ['In the tree of owned fields: the list item that has these keys.', ownership, PAGES.apply],
  'v:': ['In the tree of owned fields: the item of a set that has this value.', ownership, PAGES.apply],
  'i:': ['In the tree of owned fields: the list item at this place.', ownership, PAGES.apply],
  '.': ['In the tree of owned fields: the thing itself, not only what is in it.', ownership, PAGES.apply],
})

/** The first pattern that fits a warning's text explains it. */
const WARNING_WORDS: { name: string; pattern: RegExp; text: string; see: Entry['see'] }[] = [
  {
    name: 'unknown field',
    pattern: /unknown field "/,
    text: 'The kind has no such field: it was dropped. Mostly a slip of the pen, or a wrong indentation.',
    see: [spec(1, 'Field validation rules')],
  },
  {
    name: 'duplicate field',
    pattern: /duplicate field "/,
    text: 'The field stands there twice; one of the two was dropped.',
    see: [spec(1, 'Field validation rules')],
  },
  {
    name: 'deprecated version',
    pattern: / is deprecated in v/,
    text: 'This version of the kind will not be served for ever: write manifests in the one named behind “use”.',
    see: [spec(1, 'Deprecated endpoints'), docs('Deprecated API migration guide', 'reference/using-api/deprecation-guide/')],
  },
  {
    name: 'would violate PodSecurity',
    pattern: /violate.* PodSecurity/,
    text: 'The pod goes beyond the level that its namespace is held to. It was let in, since the level only warns here, or only pods themselves are refused.',
    see: [docs('Pod Security standards', 'concepts/security/pod-security-standards/')],
  },
  {
    name: 'Validation failed for ValidatingAdmissionPolicy',
    pattern: /^Validation failed for ValidatingAdmissionPolicy/,
    text: 'A policy found fault with it, and is bound so that it only warns.',
    see: [spec(3, 'ValidatingAdmissionPolicy')],
  },
  {
    name: 'deprecated since',
    pattern: /deprecated (since|in) v?\d/,
    text: 'The field, label or annotation still works and will go.',
    see: [spec(1, 'Deprecation rules')],
  },
  {
    name: 'requested expiration shortened',
    pattern: /requested expiration of/,
    text: 'The token will live shorter than asked: the server has a longest life for tokens.',
    see: [docs('Service accounts', 'reference/access-authn-authz/service-accounts-admin/')],
  },
]

export const WARNINGS: Entry[] = [
  ...WARNING_WORDS.map(({ name, pattern, text, see }): Entry => ({ id: `warning/${name}`, kind: 'warning', name, text, see, pattern })),
  {
    id: 'warning/other',
    kind: 'warning',
    name: 'a warning',
    text: 'The request passed, and the server thinks that you should know something about it: a setting that has no effect, or one that may surprise.',
    see: [spec(1, 'Errors'), PAGES.concepts],
    pattern: /(?:)/,
  },
]
