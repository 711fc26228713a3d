import { stringify } from 'yaml'
import type { Prediction } from '../../../../lessons/lesson'
import { PREDICT } from '../texts'

interface RequestLineProps {
  request: Prediction['request']
  sent?: boolean
}

/** A request as a reader of the API writes it: method, path, and the body as YAML. */
export function RequestLine({ request, sent = false }: RequestLineProps) {
  const { as = 'admin', method, path, body } = request
  return (
    <figure className="predict-request">
      <p className="mono small">
        <strong>{method}</strong> {path}
      </p>
      {body !== undefined && <pre className="mono small">{stringify(body).trimEnd()}</pre>}
      <figcaption className="soft small">
        {sent ? PREDICT.wasSentAs(as) : PREDICT.sentAs(as)}
      </figcaption>
    </figure>
  )
}
