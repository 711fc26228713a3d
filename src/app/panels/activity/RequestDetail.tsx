/** One request in full: what was sent, what came back, and the same in other words. */
import type { RequestTrace } from '../../../hosts/shared/channel'
import { copyText } from '../../components/copy'
import { durationText, prettyText, sizeText } from '../../components/format'
import { asCurl, asFetch, asKubectl } from '../../kubectl/equivalents'
import type { LoggedRequest } from '../../state/requests'
import { Outcome } from './Requests'
import { Xray } from './Xray'

export function RequestDetail({ entry, trace }: { entry: LoggedRequest; trace: RequestTrace | undefined }) {
  const { method, path, who, body, response, headers, responseHeaders, milliseconds, open, lines, failure } = entry
  return (
    <>
      <header className="detail-head">
        <p className="detail-title">
          <span className={`method ${method.toLowerCase()}`}>{method}</span> <Outcome entry={entry} />
          <span className="soft">
            {' '}
            as {who}
            {milliseconds !== undefined && !open && ` · ${durationText(milliseconds)}`}
            {open && ' · still open'}
            {lines !== undefined && ` · ${lines} event${lines === 1 ? '' : 's'}`}
            {response !== undefined && ` · ${sizeText(response.length)}`}
          </span>
        </p>
        <p className="mono wrap">{path}</p>
        <div className="button-row">
          <span className="soft">Copy as</span>
          <button type="button" className="button small" onClick={() => void copyText(asKubectl(entry), 'The kubectl command')}>
            kubectl
          </button>
          <button type="button" className="button small" onClick={() => void copyText(asCurl(entry), 'The curl command')}>
            curl
          </button>
          <button type="button" className="button small" onClick={() => void copyText(asFetch(entry), 'The fetch call')}>
            fetch
          </button>
        </div>
      </header>
      <div className="scroll detail-body">
        {failure && <p className="note bad">The connection broke: {failure}</p>}
        {trace && <Xray trace={trace} />}
        <Part title="Request headers" headers={headers} />
        {body && <Part title="Request body" text={body} />}
        {responseHeaders && <Part title="Response headers" headers={responseHeaders} />}
        {response && <Part title="Response body" text={response} />}
        {lines !== undefined && <p className="soft">The body is a stream of events: the Watches tab shows those of your watches.</p>}
      </div>
    </>
  )
}

interface PartProps {
  title: string
  text?: string
  headers?: Record<string, string>
}

function Part({ title, text, headers }: PartProps) {
  return (
    <section className="part" aria-label={title}>
      <h3>{title}</h3>
      {headers && (
        <dl className="headers">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {text && <pre>{prettyText(text)}</pre>}
    </section>
  )
}
