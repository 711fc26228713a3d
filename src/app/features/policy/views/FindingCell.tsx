import { Icon, type IconName } from '../../../components/Icon'
import type { Cell } from '../findings-table'
import { FINDINGS, outcomeAndCost } from '../texts'

const MARKS: Record<Cell['outcome'], { icon: IconName | undefined; words: string; tone: string }> =
  {
    holds: { icon: 'check', words: FINDINGS.holds, tone: 'good' },
    fails: { icon: 'close', words: FINDINGS.fails, tone: 'bad' },
    unknown: { icon: 'warning', words: FINDINGS.unknown, tone: 'warn' },
    failed: { icon: 'warning', words: FINDINGS.failed, tone: 'warn' },
    skipped: { icon: undefined, words: FINDINGS.skipped, tone: 'mute' },
    absent: { icon: undefined, words: FINDINGS.absent, tone: 'mute' },
  }

export function FindingCell({ cell: { outcome, cost, messages } }: { cell: Cell }) {
  const { icon, words, tone } = MARKS[outcome]
  return (
    <td className={`finding ${tone}`} title={messages.join('\n') || words}>
      {icon ? (
        <>
          <Icon name={icon} size={14} />
          <span className="visually-hidden">{outcomeAndCost(words)} </span>
          <span className="mono">{cost.toLocaleString('en')}</span>
        </>
      ) : (
        <span className="soft small">{words}</span>
      )}
    </td>
  )
}
