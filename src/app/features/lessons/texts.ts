import { countText } from '../../components/format'

export const LESSON_LIST = {
  loading: 'Loading the lesson editor…',
  title: 'Lessons',
  finished: (done: number, all: number) => `${done} of ${all} finished`,
  write: 'Write a lesson',
  about:
    'Each lesson has its own cluster, so yours is not affected. Only the result counts: use manifests, scripts or kubectl.',
  isFinished: ' · finished',
  progress: (done: number) => ` · ${done} done`,
  openHere: ' · open here',
  shared: 'Shared lessons and your own',
  workspace: (name: string) => `Workspace ${name}`,
} as const

export const COMMANDS = { incidents: 'Go to incidents: repair a broken cluster' } as const

export const FOUND = {
  lesson: (minutes: number) => `Lesson, ${countText(minutes, 'minute')}`,
  incident: (minutes: number) => `Incident, ${countText(minutes, 'minute')}`,
} as const

export const LESSON = {
  panel: (title: string) => `Lesson: ${title}`,
  progress: (done: number, all: number) => `${done} of ${all}`,
  show: 'Show the lesson',
  story: 'Story',
  done: ' (done)',
  current: ' (current)',
  later: ' (upcoming)',
  restart: 'Restart',
  all: 'All lessons',
  leave: 'Exit',
  yes: ' (met)',
  notYet: ' (pending)',
  requests:
    'Requests that you send count: from the console, a script, a terminal or a button. Opening an object counts as reading it.',
  hint: 'Hint',
  nextHint: 'Next hint',
  solution: 'Show solution',
  finished: 'Done!',
  next: (text: string) => `Try next: ${text}`,
  nextLesson: (title: string) => `Next: ${title}`,
  restartQuestion: 'Restart the lesson?',
  restartConsequence:
    'The cluster of this workspace returns to the start of the lesson. Your files are kept.',
} as const

export const PREDICT = {
  choices: 'What does the server respond?',
  sentAs: (user: string) => `Sent as ${user} when you have chosen`,
  wasSentAs: (user: string) => `Sent as ${user}`,
  right: 'Right.',
  other: 'Not quite.',
  responded: (code: number, reason: string) =>
    `The server responded with ${code}${reason === '' ? '' : ` ${reason}`}.`,
  isRight: ' (this is what happened)',
  isWrong: ' (your prediction)',
  goOn: 'Continue',
} as const

export const PROGRESS = {
  menu: 'Progress',
  file: 'kubetab-progress.json',
  export: 'Export progress',
  import: 'Import progress…',
  reset: 'Reset progress',
  imported: 'Progress imported',
  invalid: (reason: string) => `The file has no progress: ${reason}`,
  resetQuestion: 'Reset progress?',
  resetConsequence:
    'All lessons and incidents of this browser count as not started. Their clusters are kept.',
} as const

export const SHARED = {
  menu: 'Share this lesson',
  link: 'Copy link',
  embed: 'Copy code to embed it',
  linkName: 'The link',
  embedName: 'The code',
} as const

export const INSTRUCTORS = {
  title: 'For instructors',
  playSolution: 'Play the solution',
  playWrong: 'Play the wrong solution',
  template: 'Use as template',
  edit: 'Edit',
  playQuestion: (title: string) => `${title}?`,
  consequence:
    'The cluster of this workspace is reset to the start of the lesson. Then the requests of this solution run one after another. Your files are kept.',
  play: 'Play',
} as const

export const PLAY = {
  file: 'untitled.yaml',
  preparing: 'Preparing the lesson…',
  solving: 'Applying the solution…',
  playing: 'Playing from the start…',
  wrongSolution: 'The wrong solution',
  solution: 'The solution',
  played: (solution: string, done: number, all: number) =>
    `${solution} completed ${done} of ${all} steps.`,
  restarting: 'Restarting…',
  notServed: (kind: string, apiVersion: string) =>
    `the server does not serve ${kind} (${apiVersion})`,
  status: (status: number) => `HTTP ${status}`,
  unexpected: (request: string, status: number) =>
    `${request} returned ${status}: the cluster is not in the expected state; restart the lesson`,
} as const

export const ARRIVAL = {
  newer: 'This link was created by a newer version of the page: reload the page',
  link: 'This link',
  newLink: 'get a new link from its sender',
  source: 'Show source',
  invalid: 'The shared lesson cannot be started',
  problem: (line: number, message: string) => `Line ${line}: ${message}`,
  empty: 'it is empty',
  question: (title: string) => `Start the lesson “${title}”?`,
  consequence: (about: string, steps: string, minutes: number) =>
    `${about} It has ${steps} and takes about ${countText(minutes, 'minute')}. It opens in its own workspace; progress in a lesson with the same name is reset.`,
  start: 'Start',
  storageFull: 'browser storage is full',
  notStarted: (reason: string) => `The lesson could not be started: ${reason}`,
} as const

export const AUTHOR = {
  back: 'All lessons',
  title: 'A lesson',
  shown: 'Display',
  source: 'Source',
  preview: 'Preview',
  check: 'Check',
  tryIt: 'Try it',
  sourceLabel: 'Lesson source',
  beforeMistakes: 'Last valid version.',
  nothing: 'Nothing to preview yet.',
  more: (count: number) => `${count} more.`,
  parsed: 'Parsed. Check runs both solutions in an in-memory cluster.',
  playing: 'Playing both solutions…',
  valid: "Valid: starts incomplete, the solution completes each step, the wrong solution doesn't.",
  previous: 'Previous draft',
  open: 'Open file…',
  download: 'Download',
  copyLink: 'Copy link',
  startFrom: 'Start from',
  small: 'A small lesson',
  fileLabel: "The lesson's file",
  file: 'File',
  copied: 'The link',
  longLink: (length: number) =>
    `The link is ${length.toLocaleString('en')} characters long. Some apps cut links that long; a file is safer.`,
} as const

export const PREVIEW = {
  startsWith: (objects: string, files: string) => `Starts with ${objects}${files}.`,
  emptyCluster: 'an empty cluster',
  files: (names: string) => ` and the files ${names}`,
  wrong: 'Wrong solution',
  after: 'After the lesson',
  hint: 'Hint',
  nextHint: 'Next hint',
  solution: 'Solution',
} as const
