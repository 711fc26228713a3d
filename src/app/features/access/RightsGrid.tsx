/** A table of cells to walk through: the arrow keys move, Enter or a press opens. One cell of it is in the order of Tab. */

import { type KeyboardEvent, type MouseEvent, memo, useEffect, useRef, useState } from 'react'
import { entryOf } from '../../../engine/core/object'
import type { QueryAttributes } from '../../../hosts/shared/access'
import { type GridCell, type GridGroup, type GridRow, LOOKS } from './grid'

interface RightsGridProps {
  label: string
  columns: readonly string[]
  groups: readonly GridGroup[]
  /** The cell that is explained. */
  chosen: QueryAttributes | undefined
  onOpen(attributes: QueryAttributes): void
}

interface Place {
  row: number
  column: number
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
    const next = moved(event, at, { row: rows.length - 1, column: columns.length - 1 })
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

  // The explained cell can be selected by another view.
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
            <span className="visually-hidden">Resource</span>
          </th>
          {columns.map((verb) => (
            <th key={verb} scope="col">
              <span>
                {verb === 'deletecollection' ? (
                  <>
                    delete
                    <wbr />
                    collection
                  </>
                ) : (
                  verb
                )}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {groups.map((group, index) => (
        <Group
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

function moved(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: Place,
  last: Place,
): Place | undefined {
  const far = ctrlKey || metaKey
  const to: Record<string, Place> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + 10, column },
    PageUp: { row: row - 10, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? last.row : row, column: last.column },
  }
  const next = entryOf(to, key)
  return (
    next && {
      row: Math.max(0, Math.min(next.row, last.row)),
      column: Math.max(0, Math.min(next.column, last.column)),
    }
  )
}

interface GroupProps {
  group: GridGroup
  /** The index of its first row. */
  start: number
  columns: number
  current: Place
  chosen: QueryAttributes | undefined
}

function Group({ group, start, columns, current, chosen }: GroupProps) {
  return (
    <tbody>
      <tr className="rights-group">
        <th scope="rowgroup" colSpan={columns + 1}>
          {group.title}
        </th>
      </tr>
      {group.rows.map((row, index) => (
        <Row
          key={row.key}
          row={row}
          number={start + index}
          current={current.row === start + index ? current.column : -1}
          chosen={
            chosen === undefined
              ? -1
              : row.cells.findIndex(({ attributes }) => isSame(attributes, chosen))
          }
        />
      ))}
    </tbody>
  )
}

const isSame = (a: QueryAttributes, b: QueryAttributes): boolean =>
  a.verb === b.verb &&
  a.group === b.group &&
  a.resource === b.resource &&
  a.subresource === b.subresource &&
  a.path === b.path

interface RowProps {
  row: GridRow
  number: number
  /** Columns of the focused cell and of the explained one; -1 if in another row. */
  current: number
  chosen: number
}

const Row = memo(function Row({ row, number, current, chosen }: RowProps) {
  return (
    <tr>
      <th scope="row" title={row.name}>
        {row.name}
      </th>
      {row.cells.map(({ look, served, label }, column) => (
        <td
          key={label}
          data-row={number}
          data-column={column}
          tabIndex={column === current ? 0 : -1}
          aria-label={label}
          aria-current={column === chosen}
          title={label}
          className={served ? look : `${look} unserved`}
        >
          {look === 'not-allowed' && !served ? '' : LOOKS[look].sign}
        </td>
      ))}
    </tr>
  )
})
