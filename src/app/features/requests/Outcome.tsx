import type { LoggedRequest } from '../../state/logged-request'
import { Explain } from '../explain/Explain'
import { LIST } from './texts'

/** @param explained the code is a button: not inside a row, which is a button itself */

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
