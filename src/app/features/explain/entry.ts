export const WORD_KINDS = {
  reason: 'Status reason',
  code: 'Status code',
  cause: 'Cause of an error',
  verb: 'Verb',
  stage: 'Stage of a request',
  plugin: 'Admission plugin',
  query: 'Query parameter',
  header: 'Header',
  media: 'Media type',
  event: 'Watch event',
  audit: 'Audit',
  condition: 'Condition',
  state: 'State',
  ownership: 'Field ownership',
  warning: 'Warning',
  field: 'Field',
} as const
export type WordKind = keyof typeof WORD_KINDS

export interface Source {
  title: string
  url: string
}

export interface Entry {
  /** `reason/NotFound` */
  id: string
  kind: WordKind
  /** The name in the API: `NotFound`, `dryRun`. */
  name: string
  text: string
  see: readonly Source[]
  /** Warnings have no name: matches their text. */
  pattern?: RegExp
}

/** The table's keys are the name and the kind. */
export type Words = readonly [text: string, ...see: Source[]]

/** @param path below kubernetes.io/docs/ */
export const docs = (title: string, path: string): Source => ({
  title,
  url: `https://kubernetes.io/docs/${path}`,
})

export const standard = (number: number, title: string): Source => ({
  title: `RFC ${number}, ${title}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}`,
})

export const entriesOf = (kind: WordKind, words: Readonly<Record<string, Words>>): Entry[] =>
  Object.entries(words).map(([name, [text, ...see]]) => ({
    id: `${kind}/${name}`,
    kind,
    name,
    text,
    see: see.length > 0 ? see : [KIND_PAGES[kind]],
  }))

export const PAGES = {
  concepts: docs('API concepts', 'reference/using-api/api-concepts/'),
  versions: docs('Resource versions', 'reference/using-api/api-concepts/#resource-versions'),
  watching: docs(
    'Efficient detection of changes',
    'reference/using-api/api-concepts/#efficient-detection-of-changes',
  ),
  chunks: docs(
    'Retrieving large results sets in chunks',
    'reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks',
  ),
  apply: docs('Server-side apply', 'reference/using-api/server-side-apply/'),
  admission: docs('Admission controllers', 'reference/access-authn-authz/admission-controllers/'),
  webhooks: docs(
    'Dynamic admission control',
    'reference/access-authn-authz/extensible-admission-controllers/',
  ),
  authentication: docs('Authenticating', 'reference/access-authn-authz/authentication/'),
  authorization: docs('Authorization', 'reference/access-authn-authz/authorization/'),
  rbac: docs('Using RBAC authorization', 'reference/access-authn-authz/rbac/'),
  audit: docs('Auditing', 'tasks/debug/debug-cluster/audit/'),
  podLifecycle: docs('Pod lifecycle', 'concepts/workloads/pods/pod-lifecycle/'),
  deployment: docs('Deployments', 'concepts/workloads/controllers/deployment/'),
  job: docs('Jobs', 'concepts/workloads/controllers/job/'),
  finalizers: docs('Finalizers', 'concepts/overview/working-with-objects/finalizers/'),
  collection: docs('Garbage collection', 'concepts/architecture/garbage-collection/'),
  names: docs('Object names and IDs', 'concepts/overview/working-with-objects/names/'),
  labels: docs('Labels and selectors', 'concepts/overview/working-with-objects/labels/'),
  node: docs('Node status', 'reference/node/node-status/'),
  definitions: docs(
    'CustomResourceDefinitions',
    'tasks/extend-kubernetes/custom-resources/custom-resource-definitions/',
  ),
} as const

const KIND_PAGES: Record<WordKind, Source> = {
  reason: PAGES.concepts,
  code: PAGES.concepts,
  cause: PAGES.concepts,
  verb: docs(
    'Request verbs',
    'reference/access-authn-authz/authorization/#determine-the-request-verb',
  ),
  stage: docs('Controlling access to the API', 'concepts/security/controlling-access/'),
  plugin: PAGES.admission,
  query: PAGES.concepts,
  header: PAGES.concepts,
  media: docs(
    'Alternate representations',
    'reference/using-api/api-concepts/#alternate-representations-of-resources',
  ),
  event: PAGES.watching,
  audit: PAGES.audit,
  condition: docs('Objects', 'concepts/overview/working-with-objects/'),
  state: PAGES.podLifecycle,
  ownership: PAGES.apply,
  warning: docs('Warnings', 'reference/using-api/deprecation-policy/'),
  field: docs('Objects', 'concepts/overview/working-with-objects/'),
}
