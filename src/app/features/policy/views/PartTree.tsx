import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { InspectedOutcome, Part } from '../../../../engine/cel/inspection/inspect'
import { Icon } from '../../../components/Icon'
import { ancestorsOf, firstFolded, heatOf, type PartRow, rowsOf } from '../parts'
import { PARTS, partText, SHARED } from '../texts'
import { valuesText } from '../value-text'

interface PartTreeProps {
  parts: readonly Part[]
  outcome: InspectedOutcome | undefined
  chosen: number | undefined
  onChoose(part: number): void
}

export function PartTree({ parts, outcome, chosen, onChoose }: PartTreeProps) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const shape = parts.map(({ kind, parent }) => `${kind}${parent}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is folded stays while the expression keeps its shape
  useEffect(() => setFolded(firstFolded(parts)), [shape])
  const rows = useMemo(() => rowsOf(parts, outcome, folded), [parts, outcome, folded])
  const at = shownRow(rows, parts, chosen)
  const tree = useRef<HTMLDivElement>(null)
  useEffect(() => {
    tree.current?.querySelector(`[data-row="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const fold = (id: number, on: boolean) =>
    setFolded((before) => {
      const next = new Set(before)
      if (on) next.add(id)
      else next.delete(id)
      return next
    })
  const press = (event: KeyboardEvent) => {
    const row = rows[at]
    const move = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (move !== undefined) {
      const next = rows[Math.max(0, Math.min(rows.length - 1, move))]
      if (next) onChoose(next.part.id)
    } else if (event.key === 'ArrowRight' && row?.hasParts) {
      if (row.expanded) onChoose((rows[at + 1] as PartRow).part.id)
      else fold(row.part.id, false)
    } else if (event.key === 'ArrowLeft' && row) {
      if (row.hasParts && row.expanded) fold(row.part.id, true)
      else if (row.part.parent !== undefined) onChoose(row.part.parent)
    } else return
    event.preventDefault()
  }
  return (
    <div
      ref={tree}
      className="part-tree"
      role="tree"
      aria-label={PARTS.tree}
      aria-activedescendant={`part-${rows[at]?.part.id}`}
      tabIndex={0}
      onKeyDown={press}
    >
      <div className="part-row part-head" aria-hidden="true">
        <span>{PARTS.part}</span>
        <span>{PARTS.value}</span>
        <span className="part-type">{PARTS.type}</span>
        <span className="part-cost">{SHARED.cost}</span>
      </div>
      {rows.map((row, index) => (
        <Row
          key={row.part.id}
          row={row}
          index={index}
          whole={outcome?.cost ?? 0}
          current={index === at}
          onChoose={onChoose}
          onFold={fold}
        />
      ))}
    </div>
  )
}

/** The row of the chosen part, or of its nearest visible ancestor. */
function shownRow(
  rows: readonly PartRow[],
  parts: readonly Part[],
  chosen: number | undefined,
): number {
  if (chosen === undefined) return 0
  for (const id of [chosen, ...ancestorsOf(parts, chosen)]) {
    const found = rows.findIndex(({ part }) => part.id === id)
    if (found >= 0) return found
  }
  return 0
}

interface RowProps {
  row: PartRow
  index: number
  whole: number
  current: boolean
  onChoose(part: number): void
  onFold(part: number, on: boolean): void
}

function Row({
  row: { part, outcome, depth, hasParts, expanded },
  index,
  whole,
  current,
  onChoose,
  onFold,
}: RowProps) {
  const value = outcome === undefined ? '' : valuesText(outcome)
  const cost = outcome?.cost ?? 0
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and the active row is its active descendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={`part-${part.id}`}
      data-row={index}
      className="part-row"
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={current}
      {...(hasParts ? { 'aria-expanded': expanded } : {})}
      aria-label={partText(part.text, value, part.typeText, cost)}
      style={{ '--depth': depth } as React.CSSProperties}
      onClick={() => {
        if (hasParts && current) onFold(part.id, expanded)
        onChoose(part.id)
      }}
    >
      <span className="part-text mono">
        {hasParts ? <Icon name="chevron" size={12} /> : <span className="no-chevron" />}
        <span className="cut">{part.text}</span>
      </span>
      <span className="part-value mono cut" title={value}>
        {value}
      </span>
      <span className="part-type soft mono cut">{part.typeText}</span>
      <span className="part-cost mono">
        {outcome && outcome.evaluations > 1 && (
          <span className="soft">{outcome.evaluations}× </span>
        )}
        <span className={`heat-number heat-${heatOf(outcome?.ownCost ?? 0, whole)}`}>
          {cost.toLocaleString('en')}
        </span>
      </span>
    </div>
  )
}
