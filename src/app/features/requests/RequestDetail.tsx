/** One request in full: what was sent, what came back, and the same in other words. */
import type { RequestTrace } from '../../../hosts/shared/channel'
import { copyText } from '../../components/copy'
import { durationText, prettyText, sizeText } from '../../components/format'
import { Icon } from '../../components/Icon'
import type { LoggedRequest } from '../../state/logged-request'
import { warningsOf } from '../../state/warnings'
import { asCurl, asFetch, asKubectl } from '../copy-as/equivalents'
import { verbOf } from '../copy-as/verb-of'
import { Explain } from '../explain/Explain'
import { Outcome } from './Outcome'
import { Xray } from './Xray'

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
            as {who}
            {milliseconds !== undefined && !open && ` · ${durationText(milliseconds)}`}
            {open && ' · still open'}
            {lines !== undefined && ` · ${lines} event${lines === 1 ? '' : 's'}`}
            {response !== undefined && ` · ${sizeText(response.length)}`}
          </span>
        </p>
        <Address path={path} />
        <div className="button-row">
          <span className="soft">Copy as</span>
          <button
            type="button"
            className="button small"
            onClick={() => void copyText(asKubectl(entry), 'The kubectl command')}
          >
            kubectl
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => void copyText(asCurl(entry), 'The curl command')}
          >
            curl
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => void copyText(asFetch(entry), 'The fetch call')}
          >
            fetch
          </button>
          <button
            type="button"
            className="button small"
            title="Request and response as Markdown for an issue tracker, with a link to this workspace"
            onClick={() =>
              void import('../share/copy-issue').then(({ copyAsIssue }) => copyAsIssue(entry))
            }
          >
            issue
          </button>
        </div>
      </header>
      <div className="scroll detail-body">
        {failure && <p className="note bad">The connection broke: {failure}</p>}
        {trace && <Xray trace={trace} />}
        <Rejection response={response} />
        <Warned headers={responseHeaders} />
        <Part title="Request headers" headers={headers} />
        {body && <Part title="Request body" text={body} />}
        {responseHeaders && <Part title="Response headers" headers={responseHeaders} />}
        {response && <Part title="Response body" text={response} />}
        {lines !== undefined && (
          <p className="soft">
            The body is a stream of events: the Watches tab shows those of your watches.
          </p>
        )}
      </div>
    </>
  )
}

/** The path, and each query parameter with its meaning. */
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

interface Status {
  kind?: string
  reason?: string
  message?: string
  details?: { causes?: { reason?: string; field?: string; message?: string }[] }
}

function statusOf(response: string | undefined): Status | undefined {
  try {
    const status = JSON.parse(response ?? '') as Status
    return status.kind === 'Status' && status.reason ? status : undefined
  } catch {
    return undefined
  }
}

/** Explains an error status; its terms open the glossary. */
function Rejection({ response }: { response: string | undefined }) {
  const status = statusOf(response)
  if (status === undefined) return null
  const causes = status.details?.causes ?? []
  return (
    <section className="part" aria-label="Rejection">
      <h2>
        Rejected: <Explain word="reason" name={status.reason ?? ''} />
      </h2>
      <p className="wrap">{status.message}</p>
      {causes.length > 0 && (
        <ul className="causes">
          {causes.map(({ reason = '', field = '', message = '' }) => (
            <li key={field + message}>
              <code>{field || 'the object'}</code> <Explain word="cause" name={reason} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Warned({ headers }: { headers: Record<string, string> | undefined }) {
  const warnings = warningsOf(headers?.warning)
  if (warnings.length === 0) return null
  return (
    <section className="part" aria-label="Warnings">
      <h2>Warnings</h2>
      {warnings.map((text) => (
        <p key={text} className="warned">
          <Icon name="warning" size={14} /> <Explain word="warning" name={text} />
        </p>
      ))}
    </section>
  )
}

/** Their values are media types. */
const OF_FORMS = ['accept', 'content-type']

interface PartProps {
  title: string
  text?: string
  headers?: Record<string, string>
}

function Part({ title, text, headers }: PartProps) {
  return (
    <section className="part" aria-label={title}>
      <h2>{title}</h2>
      {headers && (
        <dl className="headers">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>
                <Explain word="header" name={name} />
              </dt>
              <dd>
                {OF_FORMS.includes(name.toLowerCase()) ? (
                  <Explain word="media" name={value} />
                ) : (
                  value
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {text && <pre>{prettyText(text)}</pre>}
    </section>
  )
}
