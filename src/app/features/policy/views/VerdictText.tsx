import type { Verdict } from '../design'
import { reasons, SHARED, VERDICT } from '../texts'

interface VerdictTextProps {
  verdict: Verdict | undefined
  waiting: string
  good: string
}

export function VerdictText({ verdict, waiting, good }: VerdictTextProps) {
  return (
    <div className="verdict-text" role="status" aria-live="polite">
      {verdict === undefined ? (
        <p className="soft">{waiting}</p>
      ) : verdict.ok ? (
        <p>
          <span className="chip good">{VERDICT.valid}</span> {good}
        </p>
      ) : verdict.causes.length === 0 ? (
        <p>
          <span className="chip bad">{VERDICT.rejected}</span>{' '}
          <span className="wrap">{verdict.message}</span>
        </p>
      ) : (
        <>
          <p>
            <span className="chip bad">{VERDICT.rejected}</span> {reasons(verdict.causes.length)}
          </p>
          <ul>
            {verdict.causes.map(({ field, message }) => (
              <li key={`${field} ${message}`} className="wrap">
                {field && <span className="mono">{field}: </span>}
                {message}
              </li>
            ))}
          </ul>
        </>
      )}
      {verdict?.warnings.map((warning) => (
        <p key={warning}>
          <span className="chip warn">{SHARED.warning}</span>{' '}
          <span className="wrap">{warning}</span>
        </p>
      ))}
    </div>
  )
}
