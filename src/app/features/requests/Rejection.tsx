import { Explain } from '../explain/Explain'
import { ownCauses, statusOf } from './rejection'
import { REJECTION } from './texts'

export function Rejection({ response }: { response: string | undefined }) {
  const status = statusOf(response)
  if (status === undefined) return null
  const causes = ownCauses(status)
  return (
    <section className="part" aria-label={REJECTION.title}>
      <h2>
        {REJECTION.rejected} <Explain word="reason" name={status.reason ?? ''} />
      </h2>
      <p className="wrap">{status.message}</p>
      {causes.length > 0 && (
        <ul className="causes">
          {causes.map(({ reason = '', field = '', message = '' }) => (
            <li key={field + message}>
              <code>{field || REJECTION.object}</code> <Explain word="cause" name={reason} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
