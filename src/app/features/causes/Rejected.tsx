import { useEffect } from 'react'
import { Icon } from '../../components/Icon'
import type { LoggedRequest } from '../../state/logged-request'
import { useRequests } from '../../state/requests'
import { useView } from '../../state/view'
import { useResults } from '../manifests/results'
import { isReviewable } from '../repairs/review'
import { useRepairs } from '../repairs/state'
import type { LastWrite } from './roots'
import { rejected, repairsFound, TEXTS } from './texts'

/** A script can send many requests that are rejected. */
const QUIET_MILLISECONDS = 600

interface RejectedWrite extends Pick<LastWrite, 'reason' | 'message'> {
  request: LoggedRequest
}

export function Rejected({ request, reason, message }: RejectedWrite) {
  const isShown = useShown(request)
  const repairs = useRepairs(({ reviews }) => {
    const review = reviews.get(request.id)
    return typeof review === 'object' && 'repairs' in review ? review.repairs.length : 0
  })
  const find = useRepairs((state) => state.find)
  useEffect(() => {
    if (!isReviewable(request)) return
    const timer = setTimeout(() => void find(request), QUIET_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [request, find])
  const open = () => {
    useRequests.getState().select(request.id)
    useView.getState().set({ activity: 'requests', pane: 'activity' })
  }
  return (
    <section className="causes-strip" aria-label={TEXTS.strip}>
      <div className="causes-line">
        <span className="health is-Failed">
          <Icon name="warning" size={12} />
          {rejected(request.status ?? 0, reason)}
        </span>
        <span className="causes-message" title={message}>
          {!isShown && message}
        </span>
        {repairs > 0 && !isShown && (
          <button type="button" className="button small" onClick={open}>
            {repairsFound(repairs)}
          </button>
        )}
        <button type="button" className="link" onClick={open}>
          {TEXTS.request}
        </button>
      </div>
    </section>
  )
}

/** Whether the message is below the strip. */
function useShown(request: LoggedRequest): boolean {
  const activity = useView((state) => state.activity)
  const results = useResults((state) => state.results)
  const selected = useRequests((state) => state.selected)
  const auditId = request.responseHeaders?.['audit-id']
  if (activity === 'requests') return selected === request.id
  return (
    activity === 'results' && results.some((result) => !result.ok && result.request === auditId)
  )
}
