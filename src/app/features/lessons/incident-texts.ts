import { countText } from '../../components/format'

export const INCIDENT_LIST = {
  lessons: 'Lessons',
  incidents: 'Incidents',
  shown: 'Lessons or incidents',
  solved: (solved: number, all: number) => `${solved} of ${all} solved`,
  about:
    'Each incident is a broken cluster of its own. Find out what is wrong with any view or kubectl, and repair it. It is solved when the state of the cluster is right, whichever way you took.',
  minutes: (minutes: number) => `About ${countText(minutes, 'minute')}`,
  best: (time: string, writes: number) => `Solved in ${time} with ${countText(writes, 'write')}`,
  here: ' · open here',
} as const

export const INCIDENT = {
  panel: (title: string) => `Incident: ${title}`,
  pager: 'Pager message',
  file: 'repair.yaml',
  elapsed: (time: string) => `Paged ${time} ago`,
  preparing: 'Breaking the cluster…',
  notBroken: (reason: string) => `The cluster could not be prepared: ${reason}`,
  show: 'Show the incident',
  goal: 'Solved when',
  yes: ' (met)',
  notYet: ' (pending)',
  holding: (seconds: number) => `Everything holds. Solved if it still does in ${seconds} s.`,
  hints: 'Hints',
  hint: (number: number) => `Hint ${number}`,
  openHint: (number: number) => `Open hint ${number} of 3`,
  solvedIn: (time: string) => `Solved in ${time}.`,
  figures: (writes: number, rejected: number, hints: number) =>
    [
      countText(writes, 'write'),
      ...(rejected > 0 ? [`${rejected} rejected`] : []),
      hints === 0 ? 'no hints' : countText(hints, 'hint'),
    ].join(', '),
  yours: 'What you did',
  nothing: 'Nothing was written by a user.',
  shortest: 'The shortest way',
  cause: 'What was wrong',
  restart: 'Restart',
  another: 'Another seed',
  link: 'Copy link',
  copied: 'The link',
  all: 'All incidents',
  leave: 'Exit',
  next: (title: string) => `Next: ${title}`,
  restartQuestion: 'Restart the incident?',
  restartConsequence:
    'The cluster of this workspace is broken again, in the same way. Your files are kept.',
  code: (code: number) => `HTTP ${code}`,
} as const

/** `42 s`, `3 min 5 s`, `1 h 2 min` */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
