/** What a description is written into: indented lines of cells, which come out in columns. */
import { alignColumns } from './aligned-columns'

export type Cell = string | number | boolean | null | undefined

const INDENT = '  '

/** Control characters could make a terminal do what an object's author wants. */
const escaped = (text: string): string => text.replaceAll('\x1b', '^[').replaceAll('\r', '\\r')

export class Report {
  private aligned = ''
  private pending = ''

  /** One line; its cells are set in columns with those of the lines around it. Absent cells are empty. */
  line(level: number, ...cells: Cell[]): void {
    this.pending += `${INDENT.repeat(level)}${escaped(cells.map((cell) => cell ?? '').join('\t'))}\n`
  }

  /** `Name:  value`. */
  field(level: number, name: string, value: Cell): void {
    this.line(level, `${name}:`, value)
  }

  /** A field that is only written if there is something to write. */
  optional(level: number, name: string, value: Cell): void {
    if (value !== undefined && value !== null && value !== '') this.field(level, name, value)
  }

  /** The columns end here: what follows is laid out for itself. */
  endColumns(): void {
    this.aligned += alignColumns(this.pending)
    this.pending = ''
  }

  /** The lines as they are, cells divided by tabs. */
  unaligned(): string {
    return this.pending
  }

  text(): string {
    this.endColumns()
    return this.aligned
  }
}
