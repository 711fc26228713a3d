import { entryOf } from '../../../engine/core/object'

/** The mark of an event: shape and color show its type, an outline marks a replayed one. */

interface Sign {
  path: string
  tone: string
  meaning: string
}

const MARKS: Record<string, Sign> = {
  ADDED: {
    path: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z',
    tone: 'good',
    meaning: 'created or now matches',
  },
  MODIFIED: { path: 'M6 .9 11.1 6 6 11.1.9 6Z', tone: 'accent', meaning: 'modified' },
  DELETED: { path: 'M2 2h8v8H2Z', tone: 'bad', meaning: 'deleted or no longer matches' },
  BOOKMARK: {
    path: 'M2.6 1.4h6.8v9.4L6 8.2l-3.4 2.6Z',
    tone: 'warn',
    meaning: 'no changes up to here',
  },
  ERROR: { path: 'M6 .9 11.4 10.6H.6Z', tone: 'bad', meaning: 'watch terminated' },
}

export const toneOf = (type: string): string => entryOf(MARKS, type)?.tone ?? 'mute'

export function Mark({ type, past }: { type: string; past: boolean }) {
  return (
    <svg
      className={`mark-sign ${toneOf(type)}${past ? ' past' : ''}`}
      width={12}
      height={12}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      <path d={entryOf(MARKS, type)?.path ?? ''} />
    </svg>
  )
}

export function Legend() {
  return (
    <ul className="legend" aria-label="Legend">
      {Object.entries(MARKS).map(([type, { meaning }]) => (
        <li key={type} title={`The object ${meaning}`}>
          <Mark type={type} past={false} /> {type}
        </li>
      ))}
      <li title="What had happened before the connection began">
        <Mark type="MODIFIED" past /> replayed
      </li>
    </ul>
  )
}
