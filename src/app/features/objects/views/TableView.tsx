import { prettyText } from '../../../components/format'
import { WIRE } from '../texts'

interface Table {
  columnDefinitions: { name: string; description: string; priority: number }[]
  rows: { cells: unknown[] }[]
}

export function TableView({ text }: { text: string }) {
  const { columnDefinitions, rows } = JSON.parse(text) as Table
  return (
    <div className="scroll wire-table">
      <dl>
        {columnDefinitions.map(({ name, description, priority }, index) => (
          <div key={name} title={description}>
            <dt>
              {name}
              {priority > 0 && <span className="chip mute">{WIRE.wide}</span>}
            </dt>
            <dd>{rows.map(({ cells }) => cellText(cells[index])).join('\n')}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>{WIRE.raw}</summary>
        <pre>{prettyText(text)}</pre>
      </details>
    </div>
  )
}

const cellText = (cell: unknown): string => (cell === '' || cell === null ? '<none>' : String(cell))
