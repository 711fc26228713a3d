import { useMemo, useState } from 'react'
import { Empty } from '../../../components/Empty'
import { useMoment } from '../../../state/moment'
import { useRequests } from '../../../state/requests'
import type { SelectedObject } from '../../../state/view'
import { revisionsOf } from '../revisions'
import { HISTORY } from '../texts'
import { Comparison } from './Comparison'
import { RevisionRow } from './RevisionRow'
import { useHistory } from './use-history'

interface HistoryProps {
  selected: SelectedObject
  /** A new resourceVersion reads the history again. */
  version: string
}

export default function History({ selected, version }: HistoryProps) {
  const { states, audit, compacted, failure } = useHistory(selected, version)
  const log = useRequests((state) => state.log)
  const moment = useMoment((state) => state.revision) ?? Number.POSITIVE_INFINITY
  const revisions = useMemo(
    () => revisionsOf(states?.filter(({ revision }) => revision <= moment) ?? [], audit, log),
    [states, audit, log, moment],
  )
  const [chosen, setChosen] = useState<number>()
  const [against, setAgainst] = useState<number>()
  if (failure) return <Empty icon="warning">{HISTORY.failed(failure)}</Empty>
  if (states === undefined) return <Empty>{HISTORY.loading}</Empty>
  const at = Math.max(
    0,
    revisions.findIndex(({ revision }) => revision === chosen),
  )
  const revision = revisions[at]
  if (revision === undefined) return <Empty icon="layers">{HISTORY.none}</Empty>
  const oldest = revisions[revisions.length - 1]
  return (
    <div className="history">
      <ol className="revisions scroll" aria-label={HISTORY.title}>
        {revisions.map((entry) => (
          <li key={entry.revision}>
            <RevisionRow
              entry={entry}
              chosen={entry === revision}
              onChoose={() => {
                setChosen(entry.revision)
                setAgainst(undefined)
              }}
            />
          </li>
        ))}
        {oldest?.what !== 'created' && (
          <li className="soft small compacted">{HISTORY.compacted(compacted)}</li>
        )}
      </ol>
      <Comparison revisions={revisions} at={at} against={against} onAgainst={setAgainst} />
    </div>
  )
}
