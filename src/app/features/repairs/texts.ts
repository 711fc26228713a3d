import { countText } from '../../components/format'

export const REPAIRS = {
  title: (request: string) => `Repairs of ${request}`,
  about: (count: number) =>
    `${count === 1 ? 'Tried' : 'Each was tried'} in a copy of the cluster: the request passed.`,
  find: 'Find repairs',
  trying: 'Trying changes in a copy of the cluster…',
  none: 'No change was found that makes the request pass.',
  passes: 'The request passes by now: send it again.',
  failed: (why: string) => `Repairs could not be searched: ${why}`,
  apply: 'Apply and send again',
  applying: 'Applying…',
  applied: (title: string) => `${title}: done, and the request passed.`,
  stillRejected: (message: string) => `The request was rejected again: ${message}`,
  writeRejected: (message: string) => `The repair was rejected: ${message}`,
  undo: 'Undo',
  undoing: 'Undoing…',
  undone: 'Undone.',
  kept: (names: string) => `Undone, except ${names}: changed since.`,
  deletion: 'A deletion cannot be undone.',
  details: (writes: number, edits: number) =>
    [
      writes > 0 ? `${countText(writes, 'object')} written as ${ADMINISTRATOR}` : '',
      edits > 0 ? `${countText(edits, 'change')} of the manifest` : '',
    ]
      .filter((text) => text !== '')
      .join(', '),
  requestOnly: 'The same body, sent with another request',
  removes: 'remove',
} as const

const ADMINISTRATOR = 'admin'
