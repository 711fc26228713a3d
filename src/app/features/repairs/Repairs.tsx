import './repairs.css'
import { useEffect, useState } from 'react'
import { fieldText } from '../../../engine/repair/place'
import { Icon } from '../../components/Icon'
import type { LoggedRequest } from '../../state/logged-request'
import { yamlText } from '../manifests/yaml'
import type { CarriedOut } from './carry-out'
import { isReviewable, type Repair } from './review'
import { type Applied, useRepairs } from './state'
import { REPAIRS } from './texts'

interface RepairsProps {
  entry: LoggedRequest
  /** Searches at once, without a click. */
  auto: boolean
  /** Shown if there is no repair. */
  advice?: string | undefined
  onApplied?(repair: Repair, carriedOut: CarriedOut): void
  onUndone?(repair: Repair): void
}

export default function Repairs({ entry, auto, advice, onApplied, onUndone }: RepairsProps) {
  const { id } = entry
  const review = useRepairs(({ reviews }) => reviews.get(id))
  const applied = useRepairs((state) => state.applied.get(id))
  const find = useRepairs((state) => state.find)
  const [wanted, setWanted] = useState(auto)
  const reviewable = isReviewable(entry)
  useEffect(() => {
    if (wanted && reviewable) void find(entry)
  }, [wanted, reviewable, find, entry])
  const help = advice === undefined ? null : <p className="advice">{advice}</p>
  if (applied !== undefined && applied.kept === undefined)
    return <Outcome entry={entry} applied={applied} onUndone={() => onUndone?.(applied.repair)} />
  if (!reviewable) return help
  if (review === undefined)
    return (
      <div className="repairs">
        {help}
        <button type="button" className="button small" onClick={() => setWanted(true)}>
          {REPAIRS.find}
        </button>
      </div>
    )
  if (review === 'pending') return <p className="soft repairs">{REPAIRS.trying}</p>
  if ('failure' in review) return <p className="soft repairs">{REPAIRS.failed(review.failure)}</p>
  if (review.repairs.length === 0)
    return (
      <div className="repairs">
        {applied?.kept && <p role="status">{undoneText(applied.kept)}</p>}
        <Explanations texts={review.explanations} />
        {review.code < 400 ? (
          <p className="soft">{REPAIRS.passes}</p>
        ) : (
          (help ?? (WRITES_REJECTED.has(review.code) && <p className="soft">{REPAIRS.none}</p>))
        )}
      </div>
    )
  return (
    <section className="repairs" aria-label={REPAIRS.title(`${entry.method} ${entry.path}`)}>
      <Explanations texts={review.explanations} />
      <p className="soft small" role="status">
        {applied?.kept && `${undoneText(applied.kept)} `}
        {REPAIRS.about(review.repairs.length)}
      </p>
      <ul>
        {review.repairs.map((repair) => (
          <Offer
            key={repair.kind + repair.title}
            repair={repair}
            onApply={() => void apply(entry, repair, onApplied)}
          />
        ))}
      </ul>
    </section>
  )
}

/** Others, such as 404, rarely need a repair. */
const WRITES_REJECTED: ReadonlySet<number> = new Set([400, 403, 409, 422])

const Explanations = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => <p key={text}>{text}</p>)

async function apply(
  entry: LoggedRequest,
  repair: Repair,
  onApplied: RepairsProps['onApplied'],
): Promise<void> {
  const carriedOut = await useRepairs.getState().apply(entry, repair)
  if (carriedOut?.response.ok) onApplied?.(repair, carriedOut)
}

const undoneText = (kept: readonly string[]): string =>
  kept.length === 0 ? REPAIRS.undone : REPAIRS.kept(kept.join(', '))

function Offer({ repair, onApply }: { repair: Repair; onApply(): void }) {
  const { title, writes, edits } = repair
  const summary = REPAIRS.details(writes.length, edits.length) || REPAIRS.requestOnly
  return (
    <li className="repair">
      <Icon name="check" size={14} />
      <div className="repair-words">
        <p>{title}</p>
        <details>
          <summary>{summary}</summary>
          <pre className="code">{contentsOf(repair)}</pre>
        </details>
      </div>
      <button type="button" className="button small" onClick={onApply}>
        {REPAIRS.apply}
      </button>
    </li>
  )
}

function contentsOf({ writes, edits, request }: Repair): string {
  const written = writes.map(({ method, path, body }) => `# ${method} ${path}\n${yamlText(body)}`)
  const changed = edits.map(({ place, value }) =>
    value === undefined
      ? `# ${REPAIRS.removes} ${fieldText(place)}\n`
      : `${fieldText(place)}: ${JSON.stringify(value)}\n`,
  )
  return [...written, ...changed, `# ${request.method} ${request.path}`].join('')
}

function rejectionText({ response, of }: CarriedOut): string {
  const { message = '' } = (response.json ?? {}) as { message?: string }
  return of === 'write' ? REPAIRS.writeRejected(message) : REPAIRS.stillRejected(message)
}

interface OutcomeProps {
  entry: LoggedRequest
  applied: Applied
  onUndone(): void
}

function Outcome({ entry, applied, onUndone }: OutcomeProps) {
  const { repair, busy, carriedOut } = applied
  if (busy !== undefined)
    return (
      <p className="soft repairs">{busy === 'applying' ? REPAIRS.applying : REPAIRS.undoing}</p>
    )
  if (carriedOut === undefined) return null
  const { response, written, deleted } = carriedOut
  const undo = () => void useRepairs.getState().undo(entry).then(onUndone)
  return (
    <div className="repairs repair-outcome" role="status">
      <p className={response.ok ? '' : 'bad'}>
        {response.ok ? REPAIRS.applied(repair.title) : rejectionText(carriedOut)}
        {deleted && ` ${REPAIRS.deletion}`}
      </p>
      {written.length > 0 && (
        <button type="button" className="button small" onClick={undo}>
          {REPAIRS.undo}
        </button>
      )}
    </div>
  )
}
