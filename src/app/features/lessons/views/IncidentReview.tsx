/** Reviews an incident: what was done, and what would have been enough. */
import { useEffect, useRef } from 'react'
import type { Incident } from '../../../../lessons/incident'
import { useIncidentRoom } from '../incident-room'
import { INCIDENT, spanText } from '../incident-texts'
import type { Write } from '../incident-writes'
import { Paragraphs } from './Paragraphs'
import { Reference } from './Reference'
import { scrollTo } from './scroll-to'

const isRejected = ({ code }: Write): boolean => code >= 400

export function IncidentReview({ incident }: { incident: Incident }) {
  const { shortest, cause, rules } = incident
  const begun = useIncidentRoom((state) => state.begun) ?? 0
  const solved = useIncidentRoom((state) => state.solved) ?? begun
  const hints = useIncidentRoom((state) => state.hints)
  const writes = useIncidentRoom((state) => state.writes)
  const review = useRef<HTMLDivElement>(null)
  useEffect(() => scrollTo(review.current, 'top'), [])
  return (
    <div className="incident-review" ref={review}>
      <div className="lesson-finished">
        <p>
          <strong>{INCIDENT.solvedIn(spanText(solved - begun))}</strong>
        </p>
        <p className="soft">
          {INCIDENT.figures(writes.length, writes.filter(isRejected).length, hints)}
        </p>
      </div>
      <h3 className="incident-heading">{INCIDENT.cause}</h3>
      <Paragraphs text={cause} />
      <p className="soft small">
        <Reference text={rules} />
      </p>
      <h3 className="incident-heading">{INCIDENT.yours}</h3>
      {writes.length === 0 && <p className="soft">{INCIDENT.nothing}</p>}
      <ol className="incident-timeline">
        {writes.map((write) => (
          <li key={write.id} className={isRejected(write) ? 'rejected' : undefined}>
            <time className="soft small">{spanText(write.at - begun)}</time>
            <span className="mono small">
              <strong>{write.verb}</strong> {write.what}
              {write.body !== '' && <span className="soft"> {write.body}</span>}
              {isRejected(write) && <span className="bad"> {INCIDENT.code(write.code)}</span>}
            </span>
          </li>
        ))}
      </ol>
      <h3 className="incident-heading">{INCIDENT.shortest}</h3>
      <ol className="incident-timeline shortest">
        {shortest.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same command may be run twice
          <li key={index}>
            <code className="small">{line}</code>
          </li>
        ))}
      </ol>
    </div>
  )
}
