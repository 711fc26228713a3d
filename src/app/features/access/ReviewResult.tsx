import type { AccessSubject, QueryAttributes } from '../../../hosts/shared/access'
import type { ApiResponse } from '../../state/client'
import { Because, Verdict } from './Explanation'
import { useAccessQuery } from './state'
import { EXPLANATION, REVIEW, reviewRejected, subjectName } from './texts'

interface Status {
  allowed?: boolean
  denied?: boolean
  reason?: string
  evaluationError?: string
}

interface ReviewResultProps {
  response: ApiResponse
  /** undefined if the form is incomplete. */
  attributes: QueryAttributes | undefined
  who: AccessSubject
}

export function ReviewResult({ response, attributes, who }: ReviewResultProps) {
  const { data: explained } = useAccessQuery(
    'accessExplain',
    response.ok && attributes ? { subject: who, attributes } : undefined,
  )
  if (!response.ok) {
    const { message } = (response.json ?? {}) as { message?: string }
    return (
      <p className="note bad" role="alert">
        {reviewRejected(message ?? `HTTP ${response.status}`)}
      </p>
    )
  }
  const { status = {} } = (response.json ?? {}) as { status?: Status }
  return (
    <section className="part" aria-label={REVIEW.verdict} aria-live="polite">
      <p className="detail-title">
        <Verdict allowed={status.allowed === true} />
        {attributes && <strong>{subjectName(who)}</strong>}
        {status.denied && <span className="chip bad">{EXPLANATION.denied}</span>}
      </p>
      {status.reason && explained === undefined && <p className="soft wrap">{status.reason}</p>}
      {status.evaluationError && <p className="note warn wrap">{status.evaluationError}</p>}
      {explained && attributes && <Because explanation={explained} attributes={attributes} />}
    </section>
  )
}
