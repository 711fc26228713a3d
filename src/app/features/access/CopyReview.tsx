import type { AccessSubject, QueryAttributes } from '../../../hosts/shared/access'
import { copyText } from '../../components/copy'
import { asCurl, asFetch, asKubectl } from '../copy-as/equivalents'
import { asCanI, type ReviewKind } from './review'
import { REVIEW, REVIEW_FORMS } from './texts'

interface CopyReviewProps {
  kind: ReviewKind
  subject: AccessSubject
  attributes: QueryAttributes
  path: string
  body: string
  /** No command corresponds to an edited request. */
  edited: boolean
}

export function CopyReview({ kind, subject, attributes, path, body, edited }: CopyReviewProps) {
  const request = {
    method: 'POST',
    path,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: '' },
    body,
  }
  return (
    <div className="button-row">
      <span className="soft">{REVIEW.copyAs}</span>
      <button
        type="button"
        className="button small"
        onClick={() =>
          void copyText(
            edited ? asKubectl(request) : asCanI(kind, subject, attributes),
            REVIEW_FORMS.kubectl.copied,
          )
        }
      >
        {REVIEW_FORMS.kubectl.title}
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => void copyText(asCurl(request), REVIEW_FORMS.curl.copied)}
      >
        {REVIEW_FORMS.curl.title}
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => void copyText(asFetch(request), REVIEW_FORMS.fetch.copied)}
      >
        {REVIEW_FORMS.fetch.title}
      </button>
    </div>
  )
}
