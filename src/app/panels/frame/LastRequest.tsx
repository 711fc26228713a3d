/** What was asked last, wherever one is: what came of it, a way to its details, and the same in other words. */
import { CopyAs } from '../../components/CopyAs'
import { type LoggedRequest, useRequests } from '../../state/requests'
import { useView } from '../../state/view'
import { Outcome } from '../activity/Requests'

const lastOf = (log: readonly LoggedRequest[]): LoggedRequest | undefined => log.findLast(({ origin }) => origin === 'action')

export function LastRequest() {
  const last = useRequests(({ log }) => lastOf(log))
  if (last === undefined) return null
  const show = () => {
    useRequests.getState().select(last.id)
    useView.getState().set({ activity: 'requests', pane: 'activity' })
  }
  const place = last.path.split('?')[0]
  return (
    <span className="last-request desktop-only">
      <button type="button" className="link mono" onClick={show} title={`What was asked last: ${last.method} ${last.path}`}>
        {last.method} {place}
      </button>
      <Outcome entry={last} />
      <CopyAs request={last} label="Copy what was asked last as kubectl, curl or fetch" />
    </span>
  )
}
