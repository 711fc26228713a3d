import type { LoggedRequest } from '../../state/logged-request'
import { Explain } from '../explain/Explain'
import { LIST } from './texts'

/** @param explained makes the code a button, which a row must not contain */

export function Outcome({
  entry,
  explained = false,
}: {
  entry: LoggedRequest
  explained?: boolean
}) {
  if (entry.failure) return <span className="status bad">{LIST.lost}</span>
  if (entry.status === undefined) return <span className="status">…</span>
  return (
    <span className={`status ${entry.status >= 400 ? 'bad' : 'good'}`}>
      {explained ? <Explain word="code" name={String(entry.status)} /> : entry.status}
    </span>
  )
}
