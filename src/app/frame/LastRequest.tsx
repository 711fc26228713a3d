import { CopyAs } from '../features/copy-as/CopyAs'
import type { LoggedRequest } from '../state/logged-request'
import { useRequests } from '../state/requests'
import { useView } from '../state/view'
import * as texts from './texts'

const lastOf = (log: readonly LoggedRequest[]): LoggedRequest | undefined =>
  log.findLast(({ origin }) => origin === 'action')

export function LastRequest() {
  const last = useRequests(({ log }) => lastOf(log))
  if (last === undefined) return null
  const show = () => {
    useRequests.getState().select(last.id)
    useView.getState().set({ activity: 'requests', pane: 'activity' })
  }
  return (
    <span className="last-request desktop-only">
      <button
        type="button"
        className="link"
        onClick={show}
        title={texts.lastRequestOf(last.method, last.path)}
      >
        {texts.lastRequest}
      </button>
      <CopyAs request={last} label={texts.copyLastRequest} />
    </span>
  )
}
