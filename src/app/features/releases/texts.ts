import { countText } from '../../components/format'

export const RELEASES = {
  changeRelease: 'Change release',
  compare: 'Side by side',
  checkManifests: 'Check manifests',
  deprecationPolicy: 'Deprecation policy',
  title: 'Releases',
  tabs: 'Views of releases',
  release: 'Release',
} as const

export const CHANGE = {
  loading: 'Loading…',
  runs: 'The cluster runs',
  select: 'Select another release to see what would change.',
  release: 'Release',
  starting: 'Starting…',
  current: 'Current release',
  changeTo: (release: string) => `Change to ${release}`,
  changelog: (release: string) => `Changelog of ${release}`,
  restarts: (note: string) =>
    `The server restarts with the same data. The current state is saved, so that you can go back.${note}`,
  manyUp:
    ' A real cluster is upgraded one minor release at a time; the steps follow each other below.',
  manyDown: ' A real control plane goes back at most one minor release; here several are possible.',
  rail: 'Release to change to',
  currentRelease: (release: string) => `${release}: the current release`,
  saved: 'The state before the last change is saved: release',
  savedDetails: (objects: number, time: string) => `, ${countText(objects, 'object')}, ${time}.`,
  goBackToIt: 'Restore',
  restoreQuestion: (release: string) => `Go back to ${release}?`,
  restoreConsequence:
    'The cluster is replaced by its state before the last change of the release. Later changes are lost. Time continues.',
  goBack: 'Go back',
  changed: (release: string) => `The cluster now runs ${release}, with the same objects.`,
  restored: (release: string) =>
    `The cluster runs ${release} again, in the state before the change.`,
  notRestored: (reason: string) => `The state before the change could not be restored: ${reason}`,
} as const

export const PLAN = {
  failed: (reason: string) => `The change could not be examined: ${reason}`,
  examining: (release: string) => `Examining the objects of the cluster in ${release}…`,
  steps: 'Steps',
  changes: 'What changes',
  stepByStep: 'Step by step',
  unserved: (release: string) => `Not served by ${release}, but remain stored`,
  unknown: (release: string) =>
    `Fields that ${release} does not know: reads omit them, the next write drops them`,
  gated: (release: string) =>
    `Fields behind a feature gate that is off in ${release}: new objects lose them`,
  rejected: (release: string) => `${release} would reject these objects if they were created`,
  storedObjects: 'Stored objects',
  noneStored: 'Nothing changes for the stored objects.',
  more: (count: number) => ` and ${count} more`,
  lostRequests: (release: string) => `Logged requests that get 404 from ${release}`,
  noneLost: 'None: all logged requests are served there too.',
  lost: (apiVersion: string, kind: string, state: string) =>
    `${apiVersion} ${kind} is ${state}: 404`,
  notYet: 'not there yet',
  removed: 'removed',
} as const

export const STEP = {
  changelog: (release: string) => `Changelog of ${release}`,
  derived: (release: string, tables: string) =>
    `No server of ${release} was recorded. This one has the tables of ${tables} and the changes of behavior up to ${release}.`,
  onlyIn: (release: string) => `Served by ${release} only`,
  notIn: (release: string) => `Not served by ${release}`,
  storageVersions: 'Changed storage versions',
  none: 'None.',
  stored: (count: number) => `, ${count} stored: rewritten with the next write`,
  gates: 'Feature gates',
  gatesOn: 'On by default now',
  gatesOff: 'Off by default now',
  gatesRemoved: (release: string) => `Not in ${release}`,
  gatesOther: 'New, or at another stage',
  noGates: 'No changed feature gates.',
  gatesHere: 'What --feature-gates of the Node.js server does with them:',
  gateEffects: {
    obeyed: 'Obeyed',
    locked: 'Locked to the default',
    withoutEffect: 'No effect',
    fixed: 'Keeps the default',
  },
  behavior: 'Behavior visible to clients',
  newApi: 'new API',
  removedApi: 'removed API',
  storageVersion: 'storage version',
  gate: 'feature gate',
  change: 'change of behavior',
  changes: 'changes of behavior',
  nothing: 'no recorded changes',
  absent: 'absent',
  stage: (stage: string, state: string) => `${stage}, ${state}`,
  on: 'on',
  off: 'off',
} as const

export const REPLAY = {
  title: 'Replay recent requests',
  replaying: 'Replaying…',
  replay: (count: number) => `Replay ${count}`,
  about: 'Writes are dry runs. Compare the responses before and after a change.',
  before: 'then,',
  now: 'now',
} as const

export const COMPARE = {
  left: 'Left',
  right: 'Right',
  workspace: 'Workspace',
  release: 'Release',
  ofWorkspace: 'as the workspace',
  user: 'User',
  ofRequest: 'as the request',
  gates: 'Feature gates',
  gatesHint: 'Name=true,Other=false',
  defaultGates: 'default gates',
  sending: 'Sending…',
  send: 'Send to both',
  endless: 'A watch has no end to compare: remove watch and follow.',
  about:
    'Two temporary servers start with copies of the clusters, without controllers and webhooks. The clusters do not change.',
  failed: (reason: string) => `The request could not be compared: ${reason}`,
  method: 'Method',
  path: 'Path and query',
  contentType: 'Content-Type',
  body: 'Body',
  request: 'Request',
  noRequests: 'No requests yet: enter one',
  fromLog: 'From the request log…',
  responses: 'Compared responses',
  characters: (count: number) => `${count.toLocaleString('en')} characters`,
  same: 'No difference: both sides respond, store and decide the same.',
  response: 'Response',
  objects: 'Stored objects',
  managedFields: 'Managed fields',
  events: 'Watch events',
  decisions: 'Decisions',
  equal: 'Equal.',
  headers: 'Headers that differ',
  equalBodies: 'The bodies are equal.',
  equalLines: (count: number) => countText(count, 'equal line'),
  only: (side: string) => `${side} only:`,
} as const

export const CHECK = {
  from: 'From',
  to: 'to',
  useFile: 'Use the open file',
  run: 'Run check',
  checking: (release: string) => `Checking ${release}…`,
  manifests: 'Manifests to check',
  failed: (reason: string) => `Check failed: ${reason}`,
  about:
    'Paste them and select two releases. Each manifest is dry-run against every release in between; your cluster is not affected.',
  title: 'What will an upgrade do to your manifests?',
  inTerminal: 'The same check in a terminal:',
  command: 'npm run upgrade-check',
  markdown: 'Markdown',
  markdownCopied: 'The report as Markdown',
  json: 'JSON',
  jsonCopied: 'The report as JSON',
  manifest: 'Manifest',
  unreadable: (line: number, message: string) => `Line ${line} could not be parsed: ${message}`,
  opened: 'Opened in the editor.',
  accepted: 'Accepted by every release.',
  rewrittenAccepted: 'the rewritten manifest is accepted',
  stillRejected: 'still rejected',
  open: 'Open',
  copy: 'Copy',
  copied: 'The rewritten manifest',
} as const

export const REPORT = {
  accepted: 'accepted',
  deprecated: 'deprecated',
  removed: 'removed',
  absent: 'not there yet',
  off: 'not served by default',
  unknown: 'unknown kind',
  rejected: 'rejected',
  noName: '(no name)',
  noReplacement: 'No replacement.',
  warning: (text: string) => `The server warns: ${text}.`,
  undecided: (text: string) => `To be decided: ${text}.`,
  rejectedAfter: (message: string) => `Still rejected after the rewrite: ${message}.`,
  allAccepted: (release: string) => `all are accepted by ${release}`,
  broken: (count: number, release: string) => `${count} cannot be applied to ${release}`,
  unreadable: (count: number) => `${count} could not be read`,
  deprecatedSince: (version: string, since: string, removed: string | undefined) =>
    removed === undefined
      ? `${version} is deprecated since ${since}.`
      : `${version} is deprecated since ${since}, and not served from ${removed} on.`,
  otherDefault: (release: string, path: string, before: string, after: string) =>
    `${release} defaults ${path} differently: ${before} became ${after}.`,
  use: (apiVersion: string, since: string) => `Use ${apiVersion}, available since ${since}.`,
  unset: '(unset)',
  manifests: (count: number, from: string, to: string) =>
    `${countText(count, 'manifest')} from ${from} to ${to}`,
  deprecatedUses: (count: number, release: string) =>
    `${countText(count, 'manifest')} with APIs that ${release} deprecates`,
  heading: (from: string, to: string) => `Upgrade from ${from} to ${to}`,
  manifest: 'Manifest',
  version: 'Version',
  notParsed: 'Not parsed',
} as const

export const POLICY = {
  alpha: 'Alpha',
  beta: 'Beta',
  stable: 'Stable',
  element: 'Element',
  examples: (text: string) => `For example ${text}`,
  stage: 'Stability',
  introduced: 'Introduced',
  deprecated: 'Deprecated',
  notDeprecated: 'not yet',
  replacement: 'Replacement',
  noReplacement: 'none',
  since: 'introduced in',
  never: 'It stays.',
  newVersion: 'Only a new version of its API group can remove it.',
  sameMajor: 'It is not removed in this major version.',
  deprecateFirst: 'It has to be deprecated first.',
  selectDeprecated: 'Select the release that deprecates it to see when it can be removed.',
  removable: (day: string) => `is the first release that can remove it, ${day}.`,
  expected: (day: string) => `expected about ${day}`,
  released: (day: string) => `of ${day}`,
  rule: (number: string, text: string) => `Rule ${number}: ${text}`,
  byRule: (number: string) => `(rule ${number})`,
} as const

export const CHART = {
  absent: 'absent',
  present: 'present',
  deprecated: 'deprecated, works',
  hidden: 'hidden',
  removable: 'can be removed',
  introduced: 'Introduced',
  deprecateBy: 'Must be deprecated',
  isDeprecated: 'Deprecated',
  raise: 'Preferred and storage version can change',
  hiddenByDefault: 'Hidden by default',
  mayBeRemoved: 'May be removed',
  title: 'State in each release',
  stateIn: (state: string) => `${state} in`,
  about: (day: string) => `about ${day}`,
  rule: (number: string) => ` (rule ${number})`,
  allRules: 'All rules (applicable ones highlighted)',
} as const

export const CHECK_ERRORS = {
  notNewer: (from: string, to: string) =>
    `an upgrade leads to a newer release: ${from} is newer than ${to}`,
  notObject: (missing: string) => `not a Kubernetes object: ${missing} missing`,
} as const
