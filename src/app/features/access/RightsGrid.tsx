/** One cell is in the tab order; arrow keys move, Enter or a click opens. */
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import type { QueryAttributes } from '../../../hosts/shared/access'
import { type GridCell, type GridGroup, moved, type Place } from './grid'
import { RightsRows } from './RightsRows'
import { RIGHTS } from './texts'

interface RightsGridProps {
  label: string
  columns: readonly string[]
  groups: readonly GridGroup[]
  chosen: QueryAttributes | undefined
  onOpen(attributes: QueryAttributes): void
}

const placeOf = (target: EventTarget): Place | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return cell === null
    ? undefined
    : { row: Number(cell.dataset.row), column: Number(cell.dataset.column) }
}

export function RightsGrid({ label, columns, groups, chosen, onOpen }: RightsGridProps) {
  const table = useRef<HTMLTableElement>(null)
  const [place, setPlace] = useState<Place>({ row: 0, column: 0 })
  const rows = groups.flatMap((group) => group.rows)
  const current: Place = {
    row: Math.min(place.row, rows.length - 1),
    column: Math.min(place.column, columns.length - 1),
  }
  const cellAt = ({ row, column }: Place): GridCell | undefined => rows[row]?.cells[column]

  function press(event: KeyboardEvent<HTMLTableElement>): void {
    const at = placeOf(event.target)
    if (at === undefined) return
    const cell = cellAt(at)
    if ((event.key === 'Enter' || event.key === ' ') && cell) {
      event.preventDefault()
      onOpen(cell.attributes)
      return
    }
    const next = moved(event.key, event.ctrlKey || event.metaKey, at, {
      row: rows.length - 1,
      column: columns.length - 1,
    })
    if (next === undefined) return
    event.preventDefault()
    setPlace(next)
    event.currentTarget
      .querySelector<HTMLElement>(`[data-row="${next.row}"][data-column="${next.column}"]`)
      ?.focus()
  }

  function open(event: MouseEvent): void {
    const at = placeOf(event.target)
    const cell = at && cellAt(at)
    if (at === undefined || cell === undefined) return
    setPlace(at)
    onOpen(cell.attributes)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell is the reason to move
  useEffect(() => {
    table.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const starts = groups.map((_, index) =>
    groups.slice(0, index).reduce((sum, group) => sum + group.rows.length, 0),
  )
  return (
    <table
      ref={table}
      className="rights-grid"
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that one walks through is a grid
      role="grid"
      aria-label={label}
      onKeyDown={press}
      onClick={open}
    >
      <thead>
        <tr>
          <th scope="col" className="rights-corner">
            <span className="visually-hidden">{RIGHTS.resource}</span>
          </th>
          {columns.map((verb) => (
            <th key={verb} scope="col">
              <span>
                <VerbText verb={verb} />
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {groups.map((group, index) => (
        <RightsRows
          key={group.title}
          group={group}
          start={starts[index] ?? 0}
          columns={columns.length}
          current={current}
          chosen={chosen}
        />
      ))}
    </table>
  )
}

/** The longest verb may break after `delete`. */
function VerbText({ verb }: { verb: string }) {
  const first = verb.startsWith('delete') ? 'delete'.length : verb.length
  return (
    <>
      {verb.slice(0, first)}
      <wbr />
      {verb.slice(first)}
    </>
  )
}
