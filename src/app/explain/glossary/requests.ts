/** What requests are made of: verbs, the stages that they go through, and their query parameters. */
import type { RequestTrace } from '../../../hosts/shared/channel'
import { docs, entriesOf, PAGES, spec, type Words } from '../entry'

type Stage = RequestTrace['spans'][number]['stage']

const verbs = spec(1, 'Verbs')

export const VERBS = entriesOf('verb', {
  get: ['Reads one object (GET on its path).', verbs],
  list: [
    'Reads a collection at one moment: all items show the same state (GET on the collection).',
    verbs,
    spec(1, 'Collection (list) response'),
  ],
  watch: [
    'One request whose answer does not end: each change of the collection becomes a line of it. Needs its own permission beside list.',
    verbs,
    spec(1, 'Watching'),
    PAGES.watching,
  ],
  create: ['Puts a new object into a collection (POST). Fails if the name is taken.', verbs],
  update: [
    'Replaces an object by the one sent (PUT): what is left out is gone. Carry the resourceVersion you read, and nobody’s change is lost.',
    verbs,
    spec(1, 'Update of an existing object'),
  ],
  patch: [
    'Changes parts of an object (PATCH). The Content-Type says how the body is meant; server-side apply is a patch too, and may create.',
    verbs,
    spec(1, 'Patch content types'),
  ],
  delete: [
    'Removes an object, or marks it for deletion while finalizers hold it (DELETE).',
    verbs,
    spec(1, 'Deletion lifecycle of an object'),
  ],
  deletecollection: [
    'Deletes all objects of a collection that the selectors choose, one after another (DELETE on the collection). A permission of its own.',
    verbs,
  ],
  proxy: ['Passes a request on to a pod, a service or a node.', verbs],
  connect: [
    'Opens a way through to a container: exec, attach, port-forward. In rules of access it is create or get of that subresource; admission calls it CONNECT.',
    verbs,
    PAGES.webhooks,
  ],
  post: ['A POST on a path that is no resource; rules of access name such paths by method.', spec(2, 'Role-based access objects')],
  put: ['A PUT on a path that is no resource; rules of access name such paths by method.', spec(2, 'Role-based access objects')],
  impersonate: [
    'To act as another user, group or service account. Whoever may do that has their rights.',
    spec(2, 'Role-based access objects'),
    PAGES.authentication,
  ],
  bind: ['To hand out a role by a binding without holding all of its rights oneself.', spec(2, 'Role-based access objects'), PAGES.rbac],
  escalate: ['To write rights into a role that one does not hold oneself.', spec(2, 'Role-based access objects'), PAGES.rbac],
  approve: [
    'To approve certificate requests of a signer.',
    docs('Certificate signing requests', 'reference/access-authn-authz/certificate-signing-requests/'),
  ],
  sign: [
    'To issue certificates as a signer.',
    docs('Certificate signing requests', 'reference/access-authn-authz/certificate-signing-requests/'),
  ],
  attest: [
    'To vouch for a bundle of trusted certificates of a signer.',
    docs('Certificate signing requests', 'reference/access-authn-authz/certificate-signing-requests/'),
  ],
  use: ['To make use of something without changing it: a pod security policy, in releases that still had them.', PAGES.admission],
})

/** Every stage that the engine notes has its words: the compiler sees to it. */
const STAGE_WORDS: Record<Stage, Words> = {
  authentication: [
    'Who asks? Certificates, tokens and headers are looked at until one of them tells a user; otherwise it is an anonymous request, or 401.',
    spec(2, 'General rules'),
    PAGES.authentication,
  ],
  authorization: [
    'May they? The configured authorizers are asked in turn until one allows or denies; when none has an opinion the answer is no.',
    spec(2, 'Authorization'),
    PAGES.authorization,
  ],
  routing: [
    'What serves this path? Group, version, resource and subresource are looked up, and whether the verb is served there.',
    spec(1, 'Path shapes'),
  ],
  decoding: [
    'The body is read into the kind’s type: wrong types end here, unknown and repeated fields are dropped, warned of or refused, defaults are filled in.',
    spec(1, 'Field validation rules'),
    spec(1, 'Wire formats and content negotiation'),
  ],
  ownership: [
    'Who owns which field is worked out: server-side apply merges and finds conflicts here, other writes take over what they change.',
    spec(1, 'Field ownership'),
    PAGES.apply,
  ],
  'mutating admission': [
    'Plugins and webhooks that may still change the object, one after another: defaults of the cluster, sidecars, tolerations.',
    PAGES.admission,
    PAGES.webhooks,
  ],
  strategy: [
    'The kind prepares the object: fields that only the server writes are set or put back, generation counts, names and addresses are given.',
    spec(1, 'Common object metadata'),
  ],
  validation: ['All rules of the kind at once; every broken one becomes a cause of the answer.', spec(1, 'Field validation rules')],
  'validating admission': [
    'Plugins, policies and webhooks that may only refuse: quotas, Pod Security, expressions. They see the object as it will be stored.',
    PAGES.admission,
    docs('Validating admission policy', 'reference/access-authn-authz/validating-admission-policy/'),
  ],
  storage: [
    'The object is written, if nobody was faster, and gets its resourceVersion. A dry run ends before.',
    spec(1, 'Update of an existing object'),
    spec(1, 'Dry run'),
  ],
  encoding: [
    'The answer is written in the form that the client asked for: JSON, YAML, Protobuf, a table, or metadata only.',
    spec(1, 'Wire formats and content negotiation'),
  ],
}

export const STAGES = entriesOf('stage', STAGE_WORDS)

const parameters = spec(1, 'Query parameters')
const logs = docs('Logging architecture', 'concepts/cluster-administration/logging/')
const exec = docs('Get a shell to a running container', 'tasks/debug/debug-application/get-shell-running-container/')

export const QUERY = entriesOf('query', {
  access_token: [
    'A token in the address. Addresses end up in logs, so it is only taken where a header cannot be sent.',
    PAGES.authentication,
  ],
  allowWatchBookmarks: [
    'A watch may be told from time to time how far it has come, though nothing changed for it: from there it can resume.',
    parameters,
    spec(1, 'Events'),
  ],
  command: ['What to run in the container; repeated for each argument.', exec],
  container: ['Which container of the pod is meant. May be left out when there is only one.', logs],
  continue: [
    'The token of the page before: goes on where that one ended, at the same moment.',
    parameters,
    spec(1, 'Chunked lists'),
    PAGES.chunks,
  ],
  dryRun: [
    'With All, everything happens except the storing: defaults, admission, validation. The answer shows what would be.',
    parameters,
    spec(1, 'Dry run'),
  ],
  exclude: ['Leaves a check out of a health endpoint.', spec(1, 'Health endpoints')],
  export: ['Once left out what belongs to one cluster alone. No longer there: who asks for it is refused.', PAGES.concepts],
  fieldManager: [
    'The name under which this write owns fields. Apply needs one; other writes are given one from the User-Agent.',
    parameters,
    spec(1, 'Server-side apply'),
    PAGES.apply,
  ],
  fieldSelector: [
    'Only objects whose fields have these values. Which fields can be asked for depends on the kind; name and namespace always can.',
    parameters,
    docs('Field selectors', 'concepts/overview/working-with-objects/field-selectors/'),
  ],
  fieldValidation: [
    'What becomes of unknown and repeated fields: Ignore drops them, Warn tells of them, Strict refuses the request.',
    parameters,
    spec(1, 'Field validation rules'),
  ],
  follow: ['The log goes on as the container writes.', logs],
  force: ['Only for apply: fields that others own with other values are taken over.', parameters, spec(1, 'Server-side apply')],
  gracePeriodSeconds: ['How long the object is given to end by itself. 0 deletes at once.', PAGES.podLifecycle],
  hash: ['The version of an OpenAPI document: with it the answer can be kept for good.', PAGES.concepts],
  ignoreStoreReadErrorWithClusterBreakingPotential: [
    'Deletes an object that cannot be read any more. A last resort of newer releases.',
    PAGES.concepts,
  ],
  includeObject: ['How much of each object a table carries along: None, Metadata or Object.', spec(1, 'Table representation')],
  labelSelector: ['Only objects whose labels fit: `app=web,tier in (a,b),!old`.', parameters, PAGES.labels],
  limit: ['At most so many items; the rest is got with the continue token.', parameters, spec(1, 'Chunked lists'), PAGES.chunks],
  limitBytes: ['At most so many bytes of the log.', logs],
  orphanDependents: ['The old way to say propagationPolicy=Orphan.', PAGES.collection],
  path: ['The path behind a proxy.', PAGES.concepts],
  ports: ['The ports to forward to.', docs('Port forwarding', 'tasks/access-application-cluster/port-forward-access-application-cluster/')],
  pretty: ['Whether JSON comes with line breaks and indentation. Browsers and curl get it so by themselves.', parameters],
  previous: ['The log of the container’s run before this one.', logs],
  propagationPolicy: [
    'What becomes of dependents: Foreground waits for them, Background deletes them later, Orphan leaves them.',
    PAGES.collection,
  ],
  resourceVersion: [
    'A moment. For get and list: how new the answer has to be; for watch: where to go on from. Empty means the newest.',
    parameters,
    PAGES.versions,
  ],
  resourceVersionMatch: ['How a list takes resourceVersion: NotOlderThan or Exact.', parameters, PAGES.versions],
  sendInitialEvents: [
    'A watch begins with everything there is as ADDED events, and a bookmark behind them.',
    parameters,
    spec(1, 'Watching'),
  ],
  sinceSeconds: ['Only what was logged in the last so many seconds.', logs],
  sinceTime: ['Only what was logged since then.', logs],
  stderr: ['The command’s error output comes through the connection.', exec],
  stdin: ['The connection carries input to the command.', exec],
  stdout: ['The command’s output comes through the connection.', exec],
  tailLines: ['Only so many lines from the end of the log.', logs],
  timeout: ['How long the request may take: `30s`. The server has a limit of its own.', PAGES.concepts],
  timeoutSeconds: ['How long a list or watch may last before the server ends it.', PAGES.watching],
  timestamps: ['Each line of the log with its time.', logs],
  tty: ['The command gets a terminal.', exec],
  uid: ['Deletes only the object of this identity, as a precondition in the body does.', spec(1, 'Deletion lifecycle of an object')],
  verbose: ['A health endpoint tells every check instead of ok.', spec(1, 'Health endpoints')],
  watch: ['Makes a list a watch: the answer tells of changes and does not end.', parameters, spec(1, 'Watching')],
})
