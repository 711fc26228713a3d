import { stringify } from 'yaml'
import type { Prediction } from '../../../../lessons/lesson'
import { PREDICT } from '../texts'

/** A request as a reader of the API writes it: method, path, and the body as YAML. */
export function RequestLine({ request }: { request: Prediction['request'] }) {
  const { as = 'admin', method, path, body } = request
  return (
    <figure className="predict-request">
      <p className="mono small">
        <strong>{method}</strong> {path}
      </p>
      {body !== undefined && <pre className="mono small">{stringify(body).trimEnd()}</pre>}
      <figcaption className="soft small">{PREDICT.sentAs(as)}</figcaption>
    </figure>
  )
}
