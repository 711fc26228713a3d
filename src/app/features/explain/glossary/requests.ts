import type { RequestTrace } from '../../../../hosts/shared/channel'
import { docs, entriesOf, PAGES, type Words } from '../entry'

type Stage = RequestTrace['spans'][number]['stage']

export const VERBS = entriesOf('verb', {
  get: ['Reads one object (GET on its path).'],
  list: [
    'Reads a collection at one moment: all items show the same state (GET on the collection).',
  ],
  watch: [
    'A request whose response does not end: each change of the collection is one line. Requires the watch permission.',
    PAGES.watching,
  ],
  create: ['Puts a new object into a collection (POST). Fails if the name is taken.'],
  update: [
    'Replaces an object (PUT): omitted fields are removed. Send the resourceVersion that you read, so that no change is lost.',
  ],
  patch: [
    'Modifies parts of an object (PATCH). The Content-Type selects the patch format; server-side apply is a patch too, and can create.',
  ],
  delete: ['Removes an object, or marks it for deletion while finalizers hold it (DELETE).'],
  deletecollection: [
    'Deletes all selected objects of a collection, one after another (DELETE on the collection). Requires its own permission.',
  ],
  proxy: ['Passes a request on to a pod, a service or a node.'],
  connect: [
    'Opens a way through to a container: exec, attach, port-forward. In rules of access it is create or get of that subresource; admission calls it CONNECT.',
    PAGES.webhooks,
  ],
  post: ['POST to a non-resource URL; RBAC rules name such URLs with the HTTP method as verb.'],
  put: ['PUT to a non-resource URL; RBAC rules name such URLs with the HTTP method as verb.'],
  impersonate: [
    'Act as another user, group or service account, with their permissions.',
    PAGES.authentication,
  ],
  bind: ['Bind a role without holding all of its permissions.', PAGES.rbac],
  escalate: ["Create roles with permissions you don't have.", PAGES.rbac],
  approve: [
    'To approve certificate requests of a signer.',
    docs(
      'Certificate signing requests',
      'reference/access-authn-authz/certificate-signing-requests/',
    ),
  ],
  sign: [
    'To issue certificates as a signer.',
    docs(
      'Certificate signing requests',
      'reference/access-authn-authz/certificate-signing-requests/',
    ),
  ],
  attest: [
    'To vouch for a bundle of trusted certificates of a signer.',
    docs(
      'Certificate signing requests',
      'reference/access-authn-authz/certificate-signing-requests/',
    ),
  ],
  use: [
    'To make use of something without changing it: a pod security policy, in releases that still had them.',
    PAGES.admission,
  ],
})

/** The type requires an entry for every stage of the engine. */
const STAGE_WORDS: Record<Stage, Words> = {
  authentication: [
    'Who sends the request? Certificates, tokens and headers are tried until one identifies a user; otherwise the request is anonymous, or fails with 401.',
    PAGES.authentication,
  ],
  authorization: [
    'Is it allowed? The configured authorizers are evaluated in order until one allows or denies; otherwise the request is forbidden.',
    PAGES.authorization,
  ],
  routing: [
    'What serves this path? Group, version, resource and subresource are looked up, and whether the verb is served there.',
  ],
  decoding: [
    'The body is decoded into the type of the kind: wrong types are rejected, unknown and duplicate fields are dropped, warned about or rejected, and defaults are applied.',
  ],
  ownership: [
    'Field ownership is computed: server-side apply merges and detects conflicts, other writes take ownership of the fields that they change.',
    PAGES.apply,
  ],
  'mutating admission': [
    'Plugins and webhooks that can modify the object, one after another: cluster defaults, sidecars, tolerations.',
    PAGES.admission,
    PAGES.webhooks,
  ],
  strategy: [
    'The kind prepares the object: fields that only the server writes are set or put back, generation counts, names and addresses are given.',
  ],
  validation: ['All validation rules of the kind; each violation is a cause of the response.'],
  'validating admission': [
    'Plugins, policies and webhooks that can only reject: quotas, Pod Security, CEL. They see the object as it will be persisted.',
    PAGES.admission,
    docs(
      'Validating admission policy',
      'reference/access-authn-authz/validating-admission-policy/',
    ),
  ],
  storage: [
    'The object is written, unless there is a conflict, and gets its resourceVersion. A dry run stops before.',
  ],
  encoding: [
    'The response is encoded in the requested media type: JSON, YAML, Protobuf, a table, or metadata only.',
  ],
}

export const STAGES = entriesOf('stage', STAGE_WORDS)

const logs = docs('Logging architecture', 'concepts/cluster-administration/logging/')
const exec = docs(
  'Get a shell to a running container',
  'tasks/debug/debug-application/get-shell-running-container/',
)

export const QUERY = entriesOf('query', {
  access_token: [
    'A token in the address. Addresses end up in logs, so it is only taken where a header cannot be sent.',
    PAGES.authentication,
  ],
  allowWatchBookmarks: [
    'Requests bookmark events: the server periodically sends its current resourceVersion, from which the watch can resume.',
  ],
  command: ['What to run in the container; repeated for each argument.', exec],
  container: ['The container. Optional if the pod has only one.', logs],
  continue: [
    'The continue token of the previous chunk: continues where it ended, at the same revision.',
    PAGES.chunks,
  ],
  dryRun: [
    'With All, the request is processed but not persisted: defaulting, admission and validation run. The response shows the result.',
  ],
  exclude: ['Leaves a check out of a health endpoint.'],
  export: [
    'Formerly removed cluster-specific fields. No longer supported: such requests are rejected.',
    PAGES.concepts,
  ],
  fieldManager: [
    'The name under which this write owns fields. Apply needs one; other writes are given one from the User-Agent.',
    PAGES.apply,
  ],
  fieldSelector: [
    'Selects objects by field values. The supported fields depend on the kind; metadata.name and metadata.namespace always are.',
    docs('Field selectors', 'concepts/overview/working-with-objects/field-selectors/'),
  ],
  fieldValidation: [
    'How to handle unknown and duplicate fields: Ignore drops them, Warn sends warnings, Strict rejects the request.',
  ],
  follow: ['Streams the log as the container writes.', logs],
  force: ['Only for apply: fields that others own with other values are taken over.'],
  gracePeriodSeconds: [
    'The time to terminate gracefully. 0 deletes immediately.',
    PAGES.podLifecycle,
  ],
  hash: [
    'The hash of an OpenAPI document: with it, the response can be cached indefinitely.',
    PAGES.concepts,
  ],
  host: ['The name or address that a pod would connect to (`/kubetab/v1/connection`).'],
  ignoreStoreReadErrorWithClusterBreakingPotential: [
    'Deletes an object that can no longer be read. A last resort in newer versions.',
    PAGES.concepts,
  ],
  includeObject: ['How much of each object a table carries along: None, Metadata or Object.'],
  labelSelector: ['Only objects whose labels fit: `app=web,tier in (a,b),!old`.', PAGES.labels],
  limit: ['At most so many items; the rest is got with the continue token.', PAGES.chunks],
  limitBytes: ['At most so many bytes of the log.', logs],
  orphanDependents: ['Deprecated form of propagationPolicy=Orphan.', PAGES.collection],
  path: ['The path of a proxied request.', PAGES.concepts],
  pod: ['The pod that would connect, as `namespace/name` (`/kubetab/v1/connection`).'],
  port: ['The port that a pod would connect to (`/kubetab/v1/connection`).'],
  ports: [
    'The ports to forward to.',
    docs(
      'Port forwarding',
      'tasks/access-application-cluster/port-forward-access-application-cluster/',
    ),
  ],
  pretty: ['Whether JSON is indented. Browsers and curl get indented JSON by default.'],
  previous: ['The log of the container’s run before this one.', logs],
  propagationPolicy: [
    'What becomes of dependents: Foreground waits for them, Background deletes them later, Orphan leaves them.',
    PAGES.collection,
  ],
  protocol: ['TCP or UDP (`/kubetab/v1/connection`).'],
  resourceVersion: [
    'A revision. For get and list: how recent the response must be; for watch: where to start. Empty means the most recent.',
    PAGES.versions,
  ],
  resourceVersionMatch: [
    'How a list interprets resourceVersion: NotOlderThan or Exact.',
    PAGES.versions,
  ],
  sendInitialEvents: [
    'A watch starts with all current objects as ADDED events, followed by a bookmark.',
  ],
  sinceSeconds: ['Only what was logged in the last so many seconds.', logs],
  sinceTime: ['Only what was logged since then.', logs],
  stderr: ['Streams the command’s standard error.', exec],
  stdin: ['The connection carries input to the command.', exec],
  stdout: ['Streams the command’s standard output.', exec],
  stream: ['Which output of the container the log shows: All, Stdout or Stderr.', logs],
  tailLines: ['Only so many lines from the end of the log.', logs],
  timeout: ['The timeout of the request: `30s`. The server has its own limit.', PAGES.concepts],
  timeoutSeconds: ['The duration after which the server closes a list or watch.', PAGES.watching],
  timestamps: ['Each line of the log with its time.', logs],
  tty: ['The command gets a terminal.', exec],
  uid: ['Deletes only the object of this identity, as a precondition in the body does.'],
  verbose: ['A health endpoint lists every check instead of ok.'],
  watch: ['Turns a list into a watch: the response streams changes.'],
})
