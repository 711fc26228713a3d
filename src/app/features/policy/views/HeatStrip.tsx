/** Parts in source order, as wide as their cost. */
import { useMemo } from 'react'
import type { InspectedOutcome, Part } from '../../../../engine/cel/inspection/inspect'
import { heatStrip } from '../parts'
import { PARTS } from '../texts'

interface HeatStripProps {
  parts: readonly Part[]
  outcome: InspectedOutcome
  chosen: number | undefined
  onChoose(part: number): void
}

export function HeatStrip({ parts, outcome, chosen, onChoose }: HeatStripProps) {
  const pieces = useMemo(() => heatStrip(parts, outcome), [parts, outcome])
  return (
    <fieldset className="heat-strip">
      <legend className="visually-hidden">{PARTS.costs}</legend>
      {pieces.map(({ part, cost, heat }) => {
        const label = `${part.text}: ${cost.toLocaleString('en')}`
        return (
          <button
            key={part.id}
            type="button"
            className={`heat heat-${heat}`}
            style={{ flexGrow: cost }}
            aria-pressed={part.id === chosen}
            aria-label={label}
            title={label}
            onClick={() => onChoose(part.id)}
          >
            {cost}
          </button>
        )
      })}
    </fieldset>
  )
}
