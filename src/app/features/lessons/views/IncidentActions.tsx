import type { Incident } from '../../../../lessons/incident'
import { INCIDENTS } from '../../../../lessons/incidents'
import { copyText } from '../../../components/copy'
import { useView } from '../../../state/view'
import { addressOf, WORKSPACE } from '../../../state/workspace'
import { useWorkspaces } from '../../workspaces/workspaces'
import { otherSeed } from '../incident-progress'
import { useIncidentRoom } from '../incident-room'
import { INCIDENT } from '../incident-texts'
import { openIncident } from '../open'
import { showIncidents } from '../shown-list'

export function IncidentActions({ incident, seed }: { incident: Incident; seed: number }) {
  const busy = useIncidentRoom((state) => state.busy !== undefined)
  const solved = useIncidentRoom((state) => state.solved !== undefined)
  const restart = useIncidentRoom((state) => state.restart)
  const next = INCIDENTS[INCIDENTS.findIndex(({ id }) => id === incident.id) + 1]
  return (
    <>
      {solved && next && (
        <button
          type="button"
          className="button primary"
          onClick={() => openIncident(next.id, otherSeed())}
        >
          {INCIDENT.next(next.title)}
        </button>
      )}
      <div className="button-row incident-actions">
        <button
          type="button"
          className="button quiet small"
          disabled={busy}
          onClick={() => confirmRestart(restart)}
        >
          {INCIDENT.restart}
        </button>
        <button
          type="button"
          className="button quiet small"
          onClick={() => openIncident(incident.id, otherSeed(seed))}
        >
          {INCIDENT.another}
        </button>
        <button
          type="button"
          className="button quiet small"
          onClick={() =>
            void copyText(new URL(addressOf(WORKSPACE), location.href).href, INCIDENT.copied)
          }
        >
          {INCIDENT.link}
        </button>
        <button type="button" className="button quiet small" onClick={showIncidents}>
          {INCIDENT.all}
        </button>
        <button
          type="button"
          className="button quiet small"
          onClick={() => useWorkspaces.getState().open('')}
        >
          {INCIDENT.leave}
        </button>
      </div>
    </>
  )
}

function confirmRestart(restart: () => Promise<void>): void {
  useView.getState().set({
    question: {
      title: INCIDENT.restartQuestion,
      text: INCIDENT.restartConsequence,
      choices: [{ title: INCIDENT.restart, danger: true, run: () => void restart() }],
    },
  })
}
