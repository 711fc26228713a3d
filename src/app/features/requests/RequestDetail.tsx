import { lazy, Suspense } from 'react'
import type { RequestTrace } from '../../../hosts/shared/channel'
import { warningsOf } from '../../../hosts/shared/warning-header'
import { copyText } from '../../components/copy'
import { durationText, sizeText } from '../../components/format'
import { Icon } from '../../components/Icon'
import type { LoggedRequest } from '../../state/logged-request'
import { asCurl, asFetch, asKubectl } from '../copy-as/equivalents'
import { verbOf } from '../copy-as/verb-of'
import { Explain } from '../explain/Explain'
import { isReviewable } from '../repairs/review'
import { Outcome } from './Outcome'
import { Rejection } from './Rejection'
import { RequestPart } from './RequestPart'
import { statusOf } from './rejection'
import { DETAIL } from './texts'
import { Xray } from './Xray'

const Repairs = lazy(() => import('../repairs/Repairs'))

export function RequestDetail({
  entry,
  trace,
}: {
  entry: LoggedRequest
  trace: RequestTrace | undefined
}) {
  const {
    method,
    path,
    who,
    body,
    response,
    headers,
    responseHeaders,
    milliseconds,
    open,
    lines,
    failure,
  } = entry
  const verb = trace?.attributes?.verb || verbOf(method, path)
  return (
    <>
      <header className="detail-head">
        <p className="detail-title">
          <span className={`method ${method.toLowerCase()}`}>
            <Explain word="verb" name={verb}>
              {method.toLowerCase() === verb ? method : `${method} ${verb}`}
            </Explain>
          </span>{' '}
          <Outcome entry={entry} explained />
          <span className="soft">
            {' '}
            {DETAIL.as(who)}
            {milliseconds !== undefined && !open && DETAIL.took(durationText(milliseconds))}
            {open && DETAIL.open}
            {lines !== undefined && DETAIL.events(lines)}
            {response !== undefined && DETAIL.size(sizeText(response.length))}
          </span>
        </p>
        <Address path={path} />
        <div className="button-row">
          <span className="soft">{DETAIL.copyAs}</span>
          <button
            type="button"
            className="button small"
            onClick={() => void copyText(asKubectl(entry), DETAIL.kubectlCopied)}
          >
            {DETAIL.kubectl}
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => void copyText(asCurl(entry), DETAIL.curlCopied)}
          >
            {DETAIL.curl}
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => void copyText(asFetch(entry), DETAIL.fetchCopied)}
          >
            {DETAIL.fetch}
          </button>
          <button
            type="button"
            className="button small"
            title={DETAIL.issueTitle}
            onClick={() =>
              void import('../share/copy-issue').then(({ copyAsIssue }) => copyAsIssue(entry))
            }
          >
            {DETAIL.issue}
          </button>
        </div>
      </header>
      <div className="scroll detail-body">
        {failure && <p className="note bad">{DETAIL.lost(failure)}</p>}
        <Rejection response={response} />
        {isReviewable(entry) && (
          <Suspense fallback={null}>
            <Repairs key={entry.id} entry={entry} auto />
          </Suspense>
        )}
        {trace && <Xray trace={trace} failureShown={statusOf(response) !== undefined} />}
        <Warned headers={responseHeaders} />
        <RequestPart title={DETAIL.requestHeaders} headers={headers} />
        {body && <RequestPart title={DETAIL.requestBody} text={body} />}
        {responseHeaders && (
          <RequestPart title={DETAIL.responseHeaders} headers={responseHeaders} />
        )}
        {response && <RequestPart title={DETAIL.responseBody} text={response} />}
        {lines !== undefined && <p className="soft">{DETAIL.streamed}</p>}
      </div>
    </>
  )
}

function Address({ path }: { path: string }) {
  const [place = '', query] = path.split('?')
  return (
    <p className="mono wrap">
      {place}
      {[...new URLSearchParams(query)].map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a parameter is its position
        <span key={index} className="query">
          {index === 0 ? '?' : '&'}
          <Explain word="query" name={name} />
          {value !== '' && `=${value}`}
        </span>
      ))}
    </p>
  )
}

function Warned({ headers }: { headers: Record<string, string> | undefined }) {
  const warnings = warningsOf(headers?.warning)
  if (warnings.length === 0) return null
  return (
    <section className="part" aria-label={DETAIL.warnings}>
      <h2>{DETAIL.warnings}</h2>
      {warnings.map((text) => (
        <p key={text} className="warned">
          <Icon name="warning" size={14} /> <Explain word="warning" name={text} />
        </p>
      ))}
    </section>
  )
}
