import { prettyText } from '../../components/format'
import { Explain } from '../explain/Explain'

const MEDIA_HEADERS = ['accept', 'content-type']

interface RequestPartProps {
  title: string
  text?: string
  headers?: Record<string, string>
}

export function RequestPart({ title, text, headers }: RequestPartProps) {
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
                {MEDIA_HEADERS.includes(name.toLowerCase()) ? (
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
