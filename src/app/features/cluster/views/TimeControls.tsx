import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { useClock, useClusterTime } from '../../../state/clock'
import { useMoment } from '../../../state/moment'
import { TIME } from '../texts'

const RATES = [1, 10, 100, 1000].map((rate) => ({ value: String(rate), title: `${rate}×` }))

export function TimeControls() {
  const time = useClusterTime()
  const reading = useClock((state) => state.reading)
  const stepping = useClock((state) => state.stepping)
  const setRate = useClock((state) => state.setRate)
  const step = useClock((state) => state.step)
  const past = useMoment(({ revision }) => revision !== undefined)
  const rate = reading?.clock.rate ?? 1
  const next = reading?.clock.next
  return (
    <div className="time-controls">
      <fieldset className="button-row" aria-label={TIME.title} disabled={past}>
        <button
          type="button"
          className="button small"
          aria-pressed={rate === 0}
          onClick={() => void setRate(rate === 0 ? 1 : 0)}
        >
          <Icon name={rate === 0 ? 'play' : 'pause'} size={14} />{' '}
          {rate === 0 ? TIME.run : TIME.pause}
        </button>
        <button
          type="button"
          className="button small"
          disabled={stepping}
          onClick={() => void step()}
          title={TIME.stepTitle}
        >
          <Icon name="chevron" size={14} /> {TIME.step}
        </button>
        <Segments
          label={TIME.speed}
          value={String(rate)}
          choices={RATES}
          onChoose={(chosen) => void setRate(Number(chosen))}
        />
      </fieldset>
      <span
        className="cluster-time mono"
        role="timer"
        aria-label={past ? TIME.timeThen : TIME.time}
      >
        {time === undefined ? '…' : stampOf(time)}
        {time !== undefined && <span className="soft"> {TIME.utc}</span>}
      </span>
      {rate === 0 && !past && (
        <span className="soft small next-due">
          {next === undefined || time === undefined
            ? TIME.nothingDue
            : TIME.next(spanOf(next - time))}
        </span>
      )}
    </div>
  )
}

const stampOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').slice(0, 19)

/** `0.5 s`, `12 s`, `5 min`, `3 h` */
function spanOf(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds / 1000)
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
