import { Segments } from '../../components/Segments'
import type { Choice, Holdings } from './offer'
import { SHARE } from './texts'

interface StartingPointProps {
  held: Holdings
  choice: Choice
  change: (part: Partial<Choice>) => void
}

export function StartingPoint({ held, choice, change }: StartingPointProps) {
  if (held.requests.length === 0) return null
  const { before } = held
  if ('missing' in before) return <p className="soft small">{SHARE.startsNow(before.missing)}</p>
  return (
    <div className="form-line">
      <span>{SHARE.start}</span>
      <Segments
        label={SHARE.startingPoint}
        value={choice.start}
        choices={[
          { value: 'now', title: SHARE.now },
          { value: 'before', title: SHARE.before },
        ]}
        onChoose={(start) => change({ start, ...(start === 'before' ? { requests: true } : {}) })}
      />
    </div>
  )
}
