export const WATCHES = {
  connecting: 'Waiting for the server…',
  listening: 'Listening for changes…',
  none: 'No watch is open',
  about:
    'A watch is a request whose response never ends; each change is one line. Disconnect it, change something, reconnect, and see what the client missed.',
  start: 'Start a watch',
  compact: 'Compact history',
  compactTitle:
    'Discards old revisions of all objects, as kube-apiserver does in etcd every five minutes',
  watch: (title: string) => `Watch of ${title}`,
  request: (path: string) => `GET ${path}`,
  bounds: (kept: number, older: string) =>
    `Showing the newest ${kept.toLocaleString('en')} events; ${older} not shown.`,
  event: 'Event',
  back: 'Back to the events',
  noEvents: 'No events.',
  events: 'Events',
} as const

export const START = {
  title: 'Start a watch',
  incomplete: 'Discovery is not complete. Try again in a moment.',
  resource: 'Resource',
  namespace: 'Namespace',
  allNamespaces: 'All namespaces',
  clusterScoped: 'None: this resource is cluster-scoped',
  labelSelector: 'Label selector',
  fieldSelector: 'Field selector',
  from: 'Start at resourceVersion',
  fromPlaceholder: 'empty: current objects first, then changes',
  bookmarks: 'Bookmarks',
  bookmarksAbout:
    'The server periodically sends its current resourceVersion, so that clients can resume.',
  request: (path: string) => `GET ${path}`,
  cancel: 'Cancel',
  start: 'Start',
} as const

export const CONTROLS = {
  connecting: 'connecting',
  live: 'live',
  paused: 'paused',
  disconnected: 'disconnected',
  ended: 'ended',
  failed: 'failed',
  waiting: (count: number) => `${count} waiting`,
  disconnect: 'Disconnect',
  disconnectTitle: 'Simulates a network failure',
  goOn: 'Continue',
  pause: 'Pause',
  bookmarks: 'Bookmarks',
  bookmarksTitle:
    'The server periodically sends its current resourceVersion. An open watch reconnects where it was.',
  clear: 'Clear',
  close: 'Close this watch',
  resume: 'Resume from',
  resumeVersion: 'resourceVersion to resume from',
  current: 'current objects',
} as const

export const EVENT = {
  change: 'Change',
  event: 'Event',
  at: (version: string) => `at ${version}`,
  shown: 'Display',
  copy: 'Copy',
  copied: 'The event',
  bookmark:
    'All events up to this resourceVersion were sent. A disconnected client can resume from here.',
  compared: (version: string) =>
    `Compared with resourceVersion ${version}, which this watch received earlier`,
  gone: 'That revision was compacted, so missed events are unknown. On 410, a client lists again and watches from the resourceVersion of the list.',
  listAgain: 'List again and watch',
} as const

export const LANES = {
  title: 'Watches over time',
  compacted: (revision: number) => `compacted before ${revision}`,
  at: (version: string) => ` at ${version}`,
  replayed: ' (before the connection began)',
  current: 'Began with the current objects',
  from: (version: string) => `Began at resourceVersion ${version}`,
} as const

export const MARKS = {
  added: 'created or now matches',
  modified: 'modified',
  deleted: 'deleted or no longer matches',
  bookmark: 'no changes up to here',
  error: 'watch terminated',
  legend: 'Legend',
  object: (meaning: string) => `The object: ${meaning}`,
  replayed: 'replayed',
  replayedTitle: 'Existed before the connection began',
} as const

export const COMPACTION = {
  compacted: 'History compacted. Watches that resume from an older revision get 410 Gone.',
  failed: (reason: string) => `Compaction failed: ${reason}`,
  question: 'Compact history now?',
  consequence:
    'Old revisions are discarded, as kube-apiserver does in etcd every five minutes. Older watches and continue tokens get 410 Gone.',
  compact: 'Compact',
} as const
