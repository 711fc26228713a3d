import { memo } from 'react'
import type { QueryAttributes } from '../../../hosts/shared/access'
import { type GridGroup, type GridRow, LOOKS, type Place } from './grid'

interface RightsRowsProps {
  group: GridGroup
  start: number
  columns: number
  current: Place
  chosen: QueryAttributes | undefined
}

export function RightsRows({ group, start, columns, current, chosen }: RightsRowsProps) {
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
  /** -1: the cell is in another row. */
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
