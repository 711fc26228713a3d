import { useEffect, useState } from 'react'
import { prettyText } from '../../components/format'
import { Segments } from '../../components/Segments'
import { useActors } from '../../state/actors'
import { type ApiResponse, sendRequest } from '../../state/client'
import { TextField } from '../editor/TextField'
import { AttributesForm } from './AttributesForm'
import { CopyReview } from './CopyReview'
import { ReviewResult } from './ReviewResult'
import { type ReviewKind, reviewOf } from './review'
import { SubjectPicker } from './SubjectPicker'
import { subjectOf, useAccess, useSubject } from './state'
import { checksOwn, REVIEW, responseStatus, SHARED, sentAs } from './texts'

/** Pixels: most reviews fit. */
const LINES = { least: 120, most: 440 }

const KINDS: { value: ReviewKind; title: string }[] = [
  { value: 'SubjectAccessReview', title: REVIEW.someoneElse },
  { value: 'LocalSubjectAccessReview', title: REVIEW.inNamespace },
  { value: 'SelfSubjectAccessReview', title: REVIEW.self },
]

/** The edited body, if any, and the response. */
interface Sent {
  edited: string | undefined
  response: ApiResponse
}

export default function Try() {
  const attributes = useAccess((state) => state.attributes)
  const set = useAccess((state) => state.set)
  const chosen = useAccess((state) => state.subject)
  const subject = useSubject()
  const actor = useActors((state) => state.actor)
  const [kind, setKind] = useState<ReviewKind>(
    chosen === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview',
  )
  const [result, setResult] = useState<Sent>()
  const [failure, setFailure] = useState<string>()
  const [edited, setEdited] = useState<string>()
  const review = reviewOf(kind, subject, attributes)
  const request = JSON.stringify(review.body, null, 2)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a result belongs to one query
  useEffect(() => {
    setResult(undefined)
    setFailure(undefined)
    setEdited(undefined)
  }, [request, actor])
  const send = async () => {
    try {
      const response = await sendRequest({
        method: 'POST',
        path: review.path,
        body: edited ?? JSON.stringify(review.body),
      })
      setResult({ edited, response })
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  const problem =
    kind === 'LocalSubjectAccessReview' && (attributes.namespace === '' || !attributes.isResource)
      ? REVIEW.needsNamespace
      : undefined
  return (
    <div className="access-columns">
      <form
        className="access-form"
        aria-label={REVIEW.request}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Segments label={REVIEW.subject} value={kind} choices={KINDS} onChoose={setKind} />
        {kind === 'SelfSubjectAccessReview' ? (
          <p className="soft small">{checksOwn(actor.name)}</p>
        ) : (
          <div className="button-row">
            <SubjectPicker />
            <span className="soft small">{sentAs(actor.name)}</span>
          </div>
        )}
        <AttributesForm attributes={attributes} onChange={(next) => set({ attributes: next })} />
        <div className="button-row">
          <button type="submit" className="button primary" disabled={problem !== undefined}>
            {SHARED.checkWithServer}
          </button>
          {problem && <span className="soft small">{problem}</span>}
        </div>
      </form>
      <section className="access-main" aria-label={REVIEW.response}>
        {failure && <p className="note bad">{failure}</p>}
        {result && (
          <ReviewResult
            response={result.response}
            attributes={result.edited === undefined ? attributes : undefined}
            who={kind === 'SelfSubjectAccessReview' ? subjectOf(actor) : subject}
          />
        )}
        <section className="part" aria-label={REVIEW.requestTitle}>
          <h2>{REVIEW.requestTitle}</h2>
          <p className="mono wrap">
            {REVIEW.method} {review.path}
          </p>
          <TextField
            label={REVIEW.body}
            text={edited ?? request}
            onChange={(text) => setEdited(text === request ? undefined : text)}
            fit={LINES}
          />
          <p className="soft small">{REVIEW.edit}</p>
          <CopyReview
            kind={kind}
            subject={subject}
            attributes={attributes}
            path={review.path}
            body={edited ?? JSON.stringify(review.body)}
            edited={edited !== undefined}
          />
        </section>
        {result && (
          <section className="part" aria-label={REVIEW.responseTitle}>
            <h2>{responseStatus(result.response.status)}</h2>
            <pre>{prettyText(result.response.text)}</pre>
          </section>
        )}
      </section>
    </div>
  )
}
