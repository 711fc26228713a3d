/** Sends an access review to the server, and shows the decision of each authorizer. */
import { useEffect, useState } from 'react'
import type { AccessSubject, QueryAttributes } from '../../../hosts/shared/access'
import { copyText } from '../../components/copy'
import { prettyText } from '../../components/format'
import { Segments } from '../../components/Segments'
import { useActors } from '../../state/actors'
import { type ApiResponse, sendRequest } from '../../state/client'
import { asCurl, asFetch, asKubectl } from '../copy-as/equivalents'
import { TextField } from '../editor/TextField'
import { AttributesForm } from './AttributesForm'
import { Because, Verdict } from './Explanation'
import { asCanI, type ReviewKind, reviewOf } from './review'
import { SubjectPicker } from './SubjectPicker'
import { subjectOf, useAccess, useAccessQuery, useSubject } from './state'
import { subjectName } from './words'

/** Pixels: most reviews are seen whole. */
const LINES = { least: 120, most: 440 }

const KINDS: { value: ReviewKind; title: string }[] = [
  { value: 'SubjectAccessReview', title: 'Another user' },
  { value: 'LocalSubjectAccessReview', title: 'In a namespace' },
  { value: 'SelfSubjectAccessReview', title: 'Myself' },
]

/** The body that was sent, if it was not the form's, and what came back. */
interface Sent {
  edited: string | undefined
  response: ApiResponse
}

interface Status {
  allowed?: boolean
  denied?: boolean
  reason?: string
  evaluationError?: string
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
      ? 'This review is about resources of one namespace.'
      : undefined
  return (
    <div className="access-columns">
      <form
        className="access-form"
        aria-label="A request"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Segments label="Whose request" value={kind} choices={KINDS} onChoose={setKind} />
        {kind === 'SelfSubjectAccessReview' ? (
          <p className="soft small">{actor.name} checks their own permissions.</p>
        ) : (
          <div className="button-row">
            <SubjectPicker />
            <span className="soft small">sent as {actor.name}</span>
          </div>
        )}
        <AttributesForm attributes={attributes} onChange={(next) => set({ attributes: next })} />
        <div className="button-row">
          <button type="submit" className="button primary" disabled={problem !== undefined}>
            Check with the server
          </button>
          {problem && <span className="soft small">{problem}</span>}
        </div>
      </form>
      <section className="access-main" aria-label="Response of the server">
        {failure && <p className="note bad">{failure}</p>}
        {result && (
          <Result
            response={result.response}
            attributes={result.edited === undefined ? attributes : undefined}
            who={kind === 'SelfSubjectAccessReview' ? subjectOf(actor) : subject}
          />
        )}
        <section className="part" aria-label="Request">
          <h2>Request</h2>
          <p className="mono wrap">POST {review.path}</p>
          <TextField
            label="Body of the review"
            text={edited ?? request}
            onChange={(text) => setEdited(text === request ? undefined : text)}
            fit={LINES}
          />
          <p className="soft small">Edit freely to add uid, extra or selectors.</p>
          <Forms
            kind={kind}
            subject={subject}
            attributes={attributes}
            path={review.path}
            body={edited ?? JSON.stringify(review.body)}
            edited={edited !== undefined}
          />
        </section>
        {result && (
          <section className="part" aria-label="Response">
            <h2>Response: HTTP {result.response.status}</h2>
            <pre>{prettyText(result.response.text)}</pre>
          </section>
        )}
      </section>
    </div>
  )
}

interface FormsProps {
  kind: ReviewKind
  subject: AccessSubject
  attributes: QueryAttributes
  path: string
  body: string
  /** Whether the request was edited, so that no command corresponds to it. */
  edited: boolean
}

function Forms({ kind, subject, attributes, path, body, edited }: FormsProps) {
  const request = {
    method: 'POST',
    path,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: '' },
    body,
  }
  return (
    <div className="button-row">
      <span className="soft">Copy as</span>
      <button
        type="button"
        className="button small"
        onClick={() =>
          void copyText(
            edited ? asKubectl(request) : asCanI(kind, subject, attributes),
            'The kubectl command',
          )
        }
      >
        kubectl
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => void copyText(asCurl(request), 'The curl command')}
      >
        curl
      </button>
      <button
        type="button"
        className="button small"
        onClick={() => void copyText(asFetch(request), 'The fetch call')}
      >
        fetch
      </button>
    </div>
  )
}

interface ResultProps {
  response: ApiResponse
  /** undefined if the form is incomplete: nothing is explained then. */
  attributes: QueryAttributes | undefined
  who: AccessSubject
}

function Result({ response, attributes, who }: ResultProps) {
  const { data: explained } = useAccessQuery(
    'accessExplain',
    response.ok && attributes ? { subject: who, attributes } : undefined,
  )
  if (!response.ok) {
    const { message } = (response.json ?? {}) as { message?: string }
    return (
      <p className="note bad" role="alert">
        The review itself was rejected: {message ?? `HTTP ${response.status}`}
      </p>
    )
  }
  const { status = {} } = (response.json ?? {}) as { status?: Status }
  return (
    <section className="part" aria-label="Verdict" aria-live="polite">
      <p className="detail-title">
        <Verdict allowed={status.allowed === true} />
        {attributes && <strong>{subjectName(who)}</strong>}
        {status.denied && <span className="chip bad">denied</span>}
      </p>
      {status.reason && explained === undefined && <p className="soft wrap">{status.reason}</p>}
      {status.evaluationError && <p className="note warn wrap">{status.evaluationError}</p>}
      {explained && attributes && <Because explanation={explained} attributes={attributes} />}
    </section>
  )
}
