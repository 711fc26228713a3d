import type { RequestTrace } from '../../../hosts/shared/channel'
import { STAGES, stopOf } from './stages'
import { PIPELINE } from './texts'

export function StageStrip({ trace }: { trace: RequestTrace }) {
  const stop = stopOf(trace)
  return (
    <span
      className="xray"
      role="img"
      aria-label={stop ? PIPELINE.stopped(stop.stage) : PIPELINE.passed}
    >
      {STAGES.map((stage) => {
        const met = trace.spans.some((span) => span.stage === stage)
        return (
          <i
            key={stage}
            className={stop?.stage === stage ? 'stop' : met ? 'met' : ''}
            title={stage}
          />
        )
      })}
    </span>
  )
}
