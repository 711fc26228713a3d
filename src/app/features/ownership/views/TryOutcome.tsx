import type { SelectedObject } from '../../../state/view'
import type { Tried } from '../dry-runs'
import { conflictCount, TRY, takesOver } from '../texts'
import type { Try } from '../use-tried'
import { Conflicts } from './Conflicts'
import { Effects } from './Effects'

interface TryOutcomeProps {
  tried: Try
  manager: string
  request: SelectedObject
}

export function TryOutcome({ tried, manager, request }: TryOutcomeProps) {
  return (
    <section className="try-outcome" aria-label={TRY.region} aria-live="polite">
      {tried === undefined ? (
        <p className="soft">{TRY.waiting}</p>
      ) : 'failure' in tried ? (
        <p className="note bad">{tried.failure}</p>
      ) : tried.conflicts.length > 0 ? (
        <Conflicting tried={tried} manager={manager} request={request} />
      ) : (
        <Accepted tried={tried} />
      )}
    </section>
  )
}

function Conflicting({
  tried: { conflicts, effects, rejection },
  manager,
  request,
}: {
  tried: Tried
  manager: string
  request: SelectedObject
}) {
  return (
    <>
      <p className="try-verdict">
        <span className="chip bad">409</span> <strong>{conflictCount(conflicts.length)}</strong>
      </p>
      <Conflicts conflicts={conflicts} manager={manager} request={request} />
      <p className="try-verdict">
        <span className="chip warn">{TRY.forced}</span> <strong>{takesOver(manager)}</strong>
      </p>
      {rejection === undefined ? (
        <Effects effects={effects} none={TRY.nothingChanges} />
      ) : (
        <p className="note bad">{rejection}</p>
      )}
    </>
  )
}

function Accepted({ tried: { status, effects, rejection } }: { tried: Tried }) {
  if (rejection !== undefined)
    return (
      <p className="note bad">
        <strong>{status}</strong> {rejection}
      </p>
    )
  return (
    <>
      <p className="try-verdict">
        <span className="chip good">{status}</span>{' '}
        <strong>{effects.length === 0 ? TRY.noChange : TRY.success}</strong>
      </p>
      {effects.length > 0 && <Effects effects={effects} none="" />}
    </>
  )
}
