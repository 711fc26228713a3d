import './health.css'
import type { Health, Level } from '../state/health/health'
import { Icon, type IconName } from './Icon'

/** A shape for each level, because color alone is not enough. */
const SHAPES: Record<Level, IconName | undefined> = {
  Current: 'check',
  InProgress: 'circle',
  Failed: 'warning',
  Terminating: 'hide',
  None: undefined,
}

export function HealthMark({ health }: { health: Health }) {
  const { level, text, reason } = health
  const shape = SHAPES[level]
  if (shape === undefined && text === '') return null
  return (
    <span className={`health is-${level}`} title={[text, reason].filter(Boolean).join('\n')}>
      {shape && <Icon name={shape} size={12} />}
      <span className="cut">{text}</span>
    </span>
  )
}
