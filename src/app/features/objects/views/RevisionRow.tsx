import { timeText } from '../../../components/format'
import { OwnerBadge } from '../../ownership/views/Owner'
import { summaryOf } from '../revision-summary'
import type { Revision } from '../revisions'

const TONE = { created: 'good', changed: 'accent', deleted: 'bad' } as const

export function RevisionRow({
  entry,
  chosen,
  onChoose,
}: {
  entry: Revision
  chosen: boolean
  onChoose: () => void
}) {
  const { revision, what, managers, time, who, changes } = entry
  return (
    <button type="button" className="revision" aria-pressed={chosen} onClick={onChoose}>
      <span className="mono revision-number">{revision}</span>
      <span className={`chip ${TONE[what]}`}>{what}</span>
      <span>{managers[0] && <OwnerBadge name={managers[0]} />}</span>
      <span className="revision-words">
        <span className="cut">{summaryOf(what, changes)}</span>
        <span className="soft small cut">
          {[who && shortName(who), managers.join(', '), time && timeText(Date.parse(time))]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </button>
  )
}

/** `kube-system:deployment-controller`, to fit a narrow row. */
const shortName = (user: string): string => user.replace(/^system:serviceaccount:/, '')
