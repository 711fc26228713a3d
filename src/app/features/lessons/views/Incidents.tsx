import { useState } from 'react'
import { entryOf } from '../../../../engine/core/object'
import { type Incident, incidentOf } from '../../../../lessons/incident'
import { INCIDENTS } from '../../../../lessons/incidents'
import { releasesText } from '../../../../lessons/releases'
import { Icon } from '../../../components/Icon'
import { INCIDENT_HERE } from '../../../state/lesson-workspace'
import { otherSeed, type Solved, useSolutions } from '../incident-progress'
import { INCIDENT_LIST, spanText } from '../incident-texts'
import { openIncident } from '../open'

export function Incidents() {
  const best = useSolutions((state) => state.best)
  return (
    <div className="scroll">
      <p className="lessons-about">{INCIDENT_LIST.about}</p>
      <ol className="lesson-list">
        {INCIDENTS.map((incident, index) => (
          <Card
            key={incident.id}
            incident={incident}
            number={index + 1}
            solved={entryOf(best, incident.id)}
          />
        ))}
      </ol>
    </div>
  )
}

interface CardProps {
  incident: Incident
  number: number
  solved: Solved | undefined
}

function Card({ incident, number, solved }: CardProps) {
  const isHere = incident.id === INCIDENT_HERE?.id
  const [seed] = useState(() => (isHere ? (INCIDENT_HERE?.seed ?? 1) : otherSeed()))
  const { title, story, minutes } = incidentOf(incident, seed)
  return (
    <li>
      <button type="button" className="lesson-card" onClick={() => openIncident(incident.id, seed)}>
        <span className="lesson-number incident-number" aria-hidden="true">
          {solved === undefined ? number : <Icon name="check" />}
        </span>
        <span className="lesson-words">
          <strong>{title}</strong>
          <span className="soft">{story}</span>
          <span className="soft small">
            {solved === undefined
              ? INCIDENT_LIST.minutes(minutes)
              : INCIDENT_LIST.best(spanText(solved.milliseconds), solved.writes)}
            {incident.releases && ` · ${releasesText(incident)}`}
            {isHere ? INCIDENT_LIST.here : ''}
          </span>
        </span>
      </button>
    </li>
  )
}
