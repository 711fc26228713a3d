/** Shape and color show an event's type, an outline a replayed one. */
import { entryOf } from '../../../engine/core/object'
import { MARKS } from './texts'

interface Sign {
  path: string
  tone: string
  meaning: string
}

const SHAPES: Record<string, Sign> = {
  ADDED: {
    path: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z',
    tone: 'good',
    meaning: MARKS.added,
  },
  MODIFIED: { path: 'M6 .9 11.1 6 6 11.1.9 6Z', tone: 'accent', meaning: MARKS.modified },
  DELETED: { path: 'M2 2h8v8H2Z', tone: 'bad', meaning: MARKS.deleted },
  BOOKMARK: {
    path: 'M2.6 1.4h6.8v9.4L6 8.2l-3.4 2.6Z',
    tone: 'warn',
    meaning: MARKS.bookmark,
  },
  ERROR: { path: 'M6 .9 11.4 10.6H.6Z', tone: 'bad', meaning: MARKS.error },
}

export const toneOf = (type: string): string => entryOf(SHAPES, type)?.tone ?? 'mute'

export function Mark({ type, past }: { type: string; past: boolean }) {
  return (
    <svg
      className={`mark-sign ${toneOf(type)}${past ? ' past' : ''}`}
      width={12}
      height={12}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      <path d={entryOf(SHAPES, type)?.path ?? ''} />
    </svg>
  )
}

export function Legend() {
  return (
    <ul className="legend" aria-label={MARKS.legend}>
      {Object.entries(SHAPES).map(([type, { meaning }]) => (
        <li key={type} title={MARKS.object(meaning)}>
          <Mark type={type} past={false} /> {type}
        </li>
      ))}
      <li title={MARKS.replayedTitle}>
        <Mark type="MODIFIED" past /> {MARKS.replayed}
      </li>
    </ul>
  )
}
