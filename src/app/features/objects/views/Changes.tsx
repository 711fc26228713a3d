import type { Json } from '../../../../engine/core/object'
import type { Change } from '../changes'
import { CHANGES } from '../texts'

/** Longer values are truncated. */
const SHOWN = 600

export function Changes({ changes, title }: { changes: readonly Change[]; title: string }) {
  const own = changes.filter(({ bookkeeping }) => !bookkeeping)
  const rest = changes.filter(({ bookkeeping }) => bookkeeping)
  return (
    <section className="changes" aria-label={title}>
      <p className="soft small">{title}</p>
      {own.length === 0 && (
        <p className="soft">{rest.length === 0 ? CHANGES.none : CHANGES.serverManaged}</p>
      )}
      {own.map((change) => (
        <ChangedField key={change.path} change={change} />
      ))}
      {rest.length > 0 && (
        <details>
          <summary>
            {CHANGES.rest(rest.map(({ path }) => path.slice(path.lastIndexOf('.') + 1)).join(', '))}
          </summary>
          {rest.map((change) => (
            <ChangedField key={change.path} change={change} />
          ))}
        </details>
      )}
    </section>
  )
}

function ChangedField({ change: { path, before, after } }: { change: Change }) {
  const label = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return (
    <div className="changed-field">
      <p className="mono wrap">
        <span className="visually-hidden">{label} </span>
        {path}
      </p>
      {before !== undefined && <Value sign="−" tone="bad" value={before} />}
      {after !== undefined && <Value sign="+" tone="good" value={after} />}
    </div>
  )
}

function Value({ sign, tone, value }: { sign: string; tone: 'good' | 'bad'; value: Json }) {
  const text =
    typeof value === 'object' && value !== null
      ? JSON.stringify(value, null, 2)
      : JSON.stringify(value)
  return (
    <pre className={`changed-value ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      <code>{text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}</code>
    </pre>
  )
}
