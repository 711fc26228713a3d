export const ABOUT = {
  title: "What's simulated and what isn't",
  about:
    'This page runs its own API server, in your browser. It aims to respond exactly like the real one and is tested against recorded responses. Nothing leaves the browser unless you share it: ',
  stored: 'stored data',
  simulated: 'Simulated',
  notSimulated: 'Not simulated',
  script: "Any script on this page can call it, including your browser's dev console:",
  copy: 'Copy the example',
  example: 'The example',
  done: 'Got it',
} as const

/** Must match what the engine implements. */
export const SIMULATED = [
  'The API server of Kubernetes: its built-in resources and versions, validation, defaulting and error messages',
  'Releases 1.31 to 1.37, and the APIs of releases since 1.15: choose one at the top',
  'Lists, watches, resourceVersion, finalizers, field ownership, server-side apply and the other patches',
  'Custom resources: CRDs with schema validation and CEL rules',
  'Users, groups, tokens, client certificates and service accounts: switch users at the top right',
  'RBAC and the other authorization modes: the view “Access” shows who can do what, and why',
  'Admission: quotas, limits, Pod Security, and CEL admission policies',
  'Policy: test CEL, policies and CRDs, with values and cost, before applying them',
  'Controllers, a scheduler and simulated nodes: the view “Cluster” shows what they do, with adjustable time',
  'Webhooks and API servers that you write in JavaScript, sandboxed in the page',
  'Your objects stay in this browser, across reloads and tabs',
] as const

export const NOT_SIMULATED = [
  "Containers don't run: their behavior, logs and exec output are scripted",
  "Webhooks the browser can't reach, attach, port-forward, interactive shells, the metrics API",
  'Differences of releases before 1.31, beyond the APIs they serve',
  'A network: Services get IPs, but nothing listens',
] as const

export const RELEASE = {
  title: 'Kubernetes release',
  runs: (release: string) => `The cluster runs ${release}. `,
  restarts: 'The server restarts as the selected release, with the same objects.',
  earlier: 'Earlier releases',
  list: 'Release',
  changelog: (release: string) => `Changelog of ${release}`,
  changes: 'What changes?',
  starting: 'Starting …',
  current: 'Current release',
  change: (release: string) => `Change to ${release}`,
  runsNow: 'runs now',
} as const

export const SHORTCUTS = {
  title: 'Keyboard shortcuts',
  leave: 'Leave editor or close dialog',
  complete: 'Trigger completion',
  move: 'Move in the tree, in tabs, lists and menus',
  moveInTable: 'Move in the table of permissions; open a cell',
  rename: 'Rename focused tab',
} as const
