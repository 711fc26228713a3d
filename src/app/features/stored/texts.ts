import { sizeText } from '../../components/format'

export const STORED = {
  title: 'Data stored in this browser',
  embedded:
    'Nothing: embedded in another page, kubetab keeps its cluster in memory until the page closes.',
  about:
    'All data stays in this browser and is never sent anywhere. There are no cookies. Other browsers and private windows have separate data.',
  wipe: 'Delete all kubetab data',
  done: 'Done',
  unreadable: 'unreadable',
  wipeQuestion: 'Delete all kubetab data from this browser?',
  wipeConsequence:
    'The clusters and files of all workspaces, lesson progress, layout and offline copy will be permanently deleted. Other tabs of this page close. Export what you want to keep first.',
  wipeConfirm: 'Delete everything',
  notAvailable: 'This browser does not let the page store data, so there is nothing to delete',
} as const

export const PERSISTENCE = {
  title: 'Persistence',
  inPage: 'The server runs in this page, without a service worker. Its clusters are stored.',
  declined:
    'The browser declined. It may agree once this page is bookmarked, installed as an app, or visited more often. Export important data.',
  request: 'Make persistent',
  unknown: 'The browser does not report whether storage is persistent',
  unknownAbout:
    'It has no storage manager, or provides it only to HTTPS pages. Export important data.',
  persistent: 'Storage is persistent',
  persistentAbout: 'It is kept until you delete it here or in the browser settings.',
  temporary: "Storage isn't persistent",
  temporaryAbout:
    'The browser can clear it when space is low; some browsers do so after days without a visit.',
  sizeUnknown: 'It does not report the used space either.',
  size: (used: number, quota: number) =>
    `${sizeText(used)} used; the limit of this site is ${sizeText(quota)}.`,
} as const

export const CLUSTERS = {
  title: 'Clusters',
  current: 'The cluster of this workspace.',
  other: 'Another workspace: its cluster and files.',
  export: (title: string) => `Export ${title}`,
  reset: (title: string) => `Reset ${title}`,
  resetQuestion: (title: string) => `Reset ${title}?`,
  resetConsequence:
    'All objects and their history will be deleted, and the server restarts. Files are kept. Export the cluster first if you want to keep it.',
  resetConfirm: 'Reset',
  resetDone: 'reset',
  remove: (title: string) => `Delete ${title}`,
  removeCluster: (title: string) => `Delete the cluster ${title}?`,
  removeWorkspace: (title: string) => `Delete the workspace ${title}?`,
  clusterConsequence:
    'Its objects are permanently deleted. Export it first if you want to keep it.',
  workspaceConsequence:
    'Its objects and files are permanently deleted. Export it first if you want to keep it.',
  onlyFiles: (size: string) => `no cluster yet; files: ${size}`,
  empty: 'nothing yet',
} as const

export const ITEMS = {
  remove: 'Delete',
  removed: 'deleted',
  export: 'Export',
  saveCopyButton: 'Save a copy',
  settings: 'Settings and drafts',
  offline: 'Offline copy',
  saveCopy: (title: string) => `Save a copy of ${title}`,
  removeItem: (title: string) => `Delete ${title}`,
  question: (title: string) => `Delete “${title}”?`,
  consequence: (about: string) => `${about} It is permanently deleted, and the page reloads.`,
  appFiles: 'App files',
  appFilesAbout: 'The page and the server program, so that the page opens offline.',
  removeOffline: 'Delete the offline copy',
  offlineQuestion: 'Delete the offline copy?',
  offlineConsequence:
    'Until the next visit with a network connection, the page does not open offline.',
} as const

export const KINDS = {
  other: 'Other data',
  otherAbout: 'Data of an earlier version of this page.',
  files: 'Editor files',
  filesAbout: 'Manifests and scripts of “My cluster”.',
  progress: 'Lesson progress',
  progressAbout: 'The completed steps of each lesson, and the solved incidents.',
  lesson: 'Your lesson',
  lessonAbout: 'The draft in the lesson editor, and the previous draft.',
  webhook: 'Unsaved webhook',
  webhookAbout: 'Its code, as edited under Webhooks in “My cluster”.',
  users: 'Added users',
  usersAbout:
    'Users, service accounts and certificates of “My cluster” with their credentials, and the current user.',
  console: 'Console history',
  consoleAbout: 'Lines entered in the console.',
  drafts: 'Policy and upgrade drafts',
  draftsAbout: 'CEL expressions, policies, CRDs and upgrade checks, as last edited.',
  recorded: 'Recorded requests',
  recordedAbout: 'The request log of a shared link or file.',
  layout: 'Layout and preferences',
  layoutAbout:
    'Theme, panels and their sizes, expanded nodes, apply options, colors of field managers.',
  lastKnown: 'Last known cluster state',
  lastKnownAbout: 'The number of objects and the time, to detect data loss in the browser.',
  name: 'Your name',
  nameAbout: 'As entered when you shared a link.',
} as const

export const WIPE = {
  pageTitle: 'kubetab: delete stored data',
  removing: 'Deleting all data…',
  removed: 'All kubetab data was deleted from this browser',
  found: 'Some kubetab data is stored in this browser',
  incomplete: 'Some data could not be deleted',
  clusters: 'Clusters of all workspaces',
  settings: 'Files, progress and settings',
  offline: 'The offline copy',
  worker: 'The service worker',
  reappeared: 'some of it reappeared: close the other tabs of this page and try again',
  after:
    'Open kubetab again to start as on your first visit. Shared links and saved files still work. If kubetab is installed as an app, remove it in your browser or system.',
  open: 'Open kubetab',
  restart: 'Restart',
  retry: 'Try again',
  done: 'deleted',
  still: 'still stored',
  failed: (reason: string) => `not deleted: ${reason}`,
  brand: 'kubetab',
} as const
