import { countText } from '../../components/format'

export const LIST = {
  mine: 'Mine',
  scripts: 'Scripts',
  all: 'All',
  recorded: 'Recorded',
  filter: 'Filter requests',
  filterPlaceholder: 'Method, path, status, user',
  whose: 'Whose requests',
  failed: 'Failed',
  copyIssue: 'Copy as GitHub issue',
  copyIssueTitle: 'Copies the last five requests as Markdown, with a link to this workspace',
  clear: 'Clear',
  noRequests: 'No requests yet',
  noMatches: 'No matching requests',
  about:
    'Every action is an API request. Each is listed here, and can be copied as kubectl, curl or fetch.',
  request: 'Request',
  requests: 'Requests',
  bounds: (own: number, script: number, page: number, dropped: string) =>
    `Showing the newest ${own.toLocaleString('en')} of your requests, ${script.toLocaleString('en')} of scripts and ${page} of the page${dropped}.`,
  dropped: (older: string) => `; ${older} not shown`,
  by: (user: string, origin: string) => `${user}, ${origin}`,
  open: 'open',
  lost: 'no response',
} as const

export const RECORDED = {
  from: (sender: string) => `From ${sender}: `,
  noneSent: (count: number) => `${count} recorded, none sent yet`,
  matching: (same: number, all: number) => `${same} of ${all} match the recording`,
  sendNext: 'Send next',
  replaying: 'Replaying…',
  replayAll: 'Replay all',
  requests: 'Recorded requests',
  notSent: (reason: string) => `Not sent: ${reason}`,
  skipped: 'not sent',
  same: 'same',
  otherStatus: (status: number) => `${status} here`,
} as const

export const DETAIL = {
  as: (user: string) => `as ${user}`,
  took: (duration: string) => ` · ${duration}`,
  open: ' · still open',
  events: (count: number) => ` · ${countText(count, 'event')}`,
  size: (bytes: string) => ` · ${bytes}`,
  copyAs: 'Copy as',
  kubectl: 'kubectl',
  kubectlCopied: 'The kubectl command',
  curl: 'curl',
  curlCopied: 'The curl command',
  fetch: 'fetch',
  fetchCopied: 'The fetch call',
  issue: 'issue',
  issueTitle: 'Copies the request and response as Markdown, with a link to this workspace',
  lost: (failure: string) => `The connection was lost: ${failure}`,
  requestHeaders: 'Request headers',
  requestBody: 'Request body',
  responseHeaders: 'Response headers',
  responseBody: 'Response body',
  streamed: 'The body is a stream of events. The Watches tab shows those of your watches.',
  warnings: 'Warnings',
} as const

export const REJECTION = {
  title: 'Rejection',
  rejected: 'Rejected:',
  object: 'the object',
} as const

export const PIPELINE = {
  stopped: (stage: string) => `stopped in ${stage}`,
  passed: 'passed all stages',
  shortest: '< 0.1 ms',
  stages: 'Stages',
  title: (duration: string) => `Request pipeline: ${duration}`,
  as: (user: string) => `as ${user}`,
  allowed: 'allowed',
  forbidden: 'forbidden',
  why: 'Why? See the binding chain and near misses',
} as const

export const POLICY = {
  title: 'Policy results',
  binding: (name: string, param: string | undefined) =>
    param ? `bound by ${name}, with ${param}` : `bound by ${name}`,
  notEvaluated: (outcome: string, message: string | undefined) =>
    message ? `: ${outcome}, ${message}` : `: ${outcome}`,
  rule: (number: number, outcome: string, cost: number) =>
    `validation ${number} ${outcome}, cost ${cost.toLocaleString('en')}`,
  message: (text: string) => `: ${text}`,
} as const
