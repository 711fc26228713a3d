import { countText } from '../../components/format'

export const TEXTS = {
  strip: 'Consequences of the last write',
  waiting: 'Waiting for controllers',
  nothing: 'No controller reacted.',
  settled: 'No further reactions.',
  incomplete: 'The history of this write is compacted.',
  showAll: 'Show all steps',
  hideAll: 'Hide the steps',
  request: 'Show the request',
  steps: 'Steps, oldest first',
  byUser: 'the request',
  outside: 'Sent by another client: a program at the bridge, or another tab',
  difference: 'Difference',
  history: 'History',
  noDifference: 'The history of this step is compacted.',
  loading: 'Loading…',
  taken: 'Fields taken',
  truncated: 'Further steps are not shown.',
} as const

export const VERBS = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const

/** `3 Pods` */
export const several = (count: number, plural: string): string => `${count} ${plural}`

export const reactedTo = (kind: string, name: string): string => `reacted to ${kind} ${name}`

export const rejected = (status: number, reason: string): string =>
  `Rejected: ${status}${reason === '' ? '' : ` ${reason}`}`

export const repairsFound = (count: number): string => countText(count, 'repair')

/** `spec.replicas from kubectl to helm` */
export const takenField = (field: string, from: string, to: string): string =>
  `${field} from ${from} to ${to}`
