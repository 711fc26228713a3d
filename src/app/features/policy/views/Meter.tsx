import { METER } from '../texts'

interface MeterProps {
  value: number
  most: number
  of: string
}

export function Meter({ value, most, of }: MeterProps) {
  const share = value / most
  const over = share > 1
  const number = value >= 2 ** 63 ? METER.unbounded : Math.round(value).toLocaleString('en')
  return (
    <span className={over ? 'meter over' : 'meter'}>
      <span className="meter-words">
        <strong>{number}</strong> {METER.of} {most.toLocaleString('en')}{' '}
        <span className="soft">{of}</span>
        {over && <span className="chip bad">{factorText(share)}</span>}
      </span>
      <span className="meter-bar" aria-hidden="true">
        <i style={{ width: `${Math.min(100, Math.max(share * 100, value > 0 ? 0.7 : 0))}%` }} />
      </span>
    </span>
  )
}

/** The wording of the server. */
function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x'
  return `${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`
}
