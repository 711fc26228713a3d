import { countText } from '../../components/format'

export const SHARE = {
  title: 'Share this workspace',
  failed: (reason: string) => `The cluster could not be read: ${reason}`,
  loading: 'Loading the cluster…',
  holds: (objects: number, files: number, requests: number) =>
    `The link holds ${countText(objects, 'object')}, ${countText(files, 'file')} and ${countText(requests, 'request')}, compressed, after the # (never sent to a server). It opens in a new workspace; scripts and webhooks don't run automatically.`,
  start: 'Starts',
  startingPoint: 'Starting point',
  startsNow: (reason: string) => `It starts from the current state of the cluster: ${reason}.`,
  now: 'from the current state',
  before: 'before the requests',
  from: 'From',
  yourName: 'Your name (optional)',
  excluded: 'Never included: tokens, keys and other credentials.',
  nothingChanged: 'no recorded request changed anything',
  compacted: 'the state before the first change was compacted',
} as const

export const CONTENTS = {
  title: 'Contents',
  everything: 'Include controller-created objects',
  everythingAbout:
    'Pods of Deployments, events, nodes… Without them the link is shorter; controllers recreate them.',
  requests: (count: number) => `The request log: ${countText(count, 'request')}`,
  requestsAbout:
    'Requests with their user and status. They can be replayed. Values of Secrets and credentials are not included.',
  files: (files: number, scripts: number) =>
    scripts > 0
      ? `${countText(files, 'file')}, of which ${countText(scripts, 'script')}`
      : countText(files, 'file'),
  webhooks: (names: string) => `Webhooks written here: ${names}`,
  webhooksAbout:
    'Their code is included but switched off. The recipient reviews it and switches it on.',
  access: (users: string) => `Who can do what: ${users}`,
  accessAbout: 'As configured under Access, without tokens and other credentials.',
  view: 'View (section, panels, selection)',
  secrets: 'Values of Secrets',
  secretsAbout:
    'Anyone with the link can read them. Otherwise Secrets keep their keys, with empty values.',
} as const

export const LINK = {
  copied: 'The link',
  copy: 'Copy link',
  save: 'Save as file',
  label: 'Link',
  long: (length: number, consequence: string) =>
    `${length.toLocaleString('en')} characters: ${consequence}. The file always works: drop it onto the page, or open it with “Open files”.`,
  tooLong: 'browsers do not open links longer than about a million characters',
  cut: (length: number) =>
    `some apps (chat, mail, issue trackers) cut links longer than ${length.toLocaleString('en')}`,
} as const

export const ARRIVAL = {
  workspaceRemoved: (workspace: string, current: string) =>
    `The workspace ${workspace} was deleted in another tab. This is ${current}.`,
  newLink: 'get a new link from its sender',
  noScenario: (name: string) => `${name} does not contain a scenario`,
  recordedRequest: 'recorded request',
  webhooks: (count: number) => `${countText(count, 'webhook')} (switched off)`,
  access: (users: string) => `an access configuration (${users})`,
  release: (release: string) => `a cluster of Kubernetes ${release}`,
  pausedClock: 'a paused clock',
  ownClock: 'its own clock',
  and: (first: string, last: string) => `${first} and ${last}`,
  contains: (contents: string, sender: string) => `It contains ${contents}${sender}.`,
  sender: (name: string) => `, and names ${name} as its sender`,
  question: 'Open the shared scenario?',
  consequence: (contents: string) =>
    `${contents} It opens in a new workspace. Your own workspace is not affected, and nothing runs automatically.`,
  open: 'Open in a new workspace',
  failed: (reason: string) => `The scenario could not be opened: ${reason}`,
  webhooksOff: (count: number) => `. ${countText(count, 'webhook')} switched off, under Webhooks`,
  opened: (note: string) => `The shared scenario is open${note}`,
  anonymous: 'an anonymous sender',
  accessRejected: (reason: string) =>
    `Its access configuration was rejected and is not used: ${reason}`,
} as const

export const DAMAGED = {
  empty: 'it does not contain a scenario',
  damaged: (name: string, reason: string, advice: string) =>
    `${name} is damaged or was cut short (${reason}): ${advice}`,
  tooLarge: 'it is far too large',
  truncated: 'its end is missing',
  checksum: 'its checksum does not match',
  invalid: 'invalid characters',
  link: 'This link',
  newLink: 'get a new link or the file from its sender',
  newer: (name: string) => `${name} was created by a newer version of the page: reload to update`,
  shape: (path: string, expected: string) => `${path} should be ${expected}`,
  it: 'it',
  string: (length: number) => `a string of at most ${length} characters`,
  number: (min: number, max: number) => `a number from ${min} to ${max}`,
  integer: 'a whole number',
  boolean: 'true or false',
  oneOf: (values: string) => `one of ${values}`,
  list: (length: number) => `a list of at most ${length}`,
  object: 'an object',
  tooDeep: (path: string) => `${path} nests deeper than any object`,
  reserved: (name: string) => `${name} is reserved and cannot be the name of a user or group`,
} as const

export const ACTIONS = {
  exportFailed: 'The export failed',
  secretsQuestion: 'Export the values of Secrets too?',
  secretsConsequence:
    'Anyone with the file can read them. Without them, the Secrets keep their keys with empty values.',
  withValues: 'With values',
  withoutValues: 'Without values',
  notText: (name: string) => `${name} is not a text file`,
  importQuestion: (objects: number, name: string) =>
    `Replace the cluster with the ${countText(objects, 'object')} of ${name}?`,
  importConsequence: (release: string) =>
    `All current objects will be deleted. Export the cluster first if you want to keep it.${release}`,
  thenRuns: (release: string) => ` The cluster then runs Kubernetes ${release}.`,
  replace: 'Replace the cluster',
  imported: (objects: number) => `${countText(objects, 'object')} imported`,
  importFailed: 'The import failed',
  notImported: (name: string) => `${name} cannot be imported`,
  resetQuestion: 'Reset the cluster?',
  resetConsequence:
    'All objects will be deleted and the server restarts. Your files in the editor are kept.',
  reset: 'Reset',
  wasReset: 'The cluster was reset',
  resetFailed: 'The reset failed',
  syntaxError: (document: number, line: number, message: string) =>
    `document ${document}, line ${line}: ${message}`,
  notObject: (document: number) =>
    `document ${document} is not a Kubernetes object: apiVersion, kind and metadata.name are required`,
  noObjects: 'the file holds no objects',
  notStarted: 'the API server has not started yet',
} as const

export const REPLAY = {
  failed: (reason: string) => `The log could not be replayed further: ${reason}`,
  allMatch: (count: number) =>
    `${count === 1 ? 'The response matches' : `All ${count} responses match`} the recording`,
  someMatch: (same: number, all: number) =>
    `${same} of ${countText(all, 'response')} match the recording`,
  hadCredentials: 'its body held credentials, which links leave out',
} as const

export const ISSUE = {
  emptyCluster: 'default objects only',
  what: 'What happened',
  expected: 'What did you expect, and what happened instead?',
  where: 'Where',
  server: (release: string) => `Kubernetes API ${release}, simulated by kubetab`,
  revision: (revision: number, state: string) => `Revision ${revision}: ${state}`,
  time: (clock: string) => `Time: ${clock}`,
  tryIt: 'Try it',
  tooLong: 'The scenario is too long for a link. Attach the file from “Share”, “Save as file”.',
  link: (url: string) =>
    `[Open the same cluster in a browser tab](${url}): it opens in a new workspace.`,
  noResponse: 'no response yet',
  as: (user: string) => `As ${user}:`,
  response: 'Response:',
  noRequests: 'No requests to report yet',
  copied: 'The issue',
  failed: (reason: string) => `The cluster could not be read: ${reason}`,
  speed: (rate: number) => `${rate} times as fast as real time`,
} as const
