import { alignColumns } from './aligned-columns'

export type Cell = string | number | boolean | null | undefined

const INDENT = '  '

/** Control characters must not control the terminal. */
const escaped = (text: string): string => text.replaceAll('\x1b', '^[').replaceAll('\r', '\\r')

export class Report {
  private aligned = ''
  private pending = ''

  /** Aligned with the lines around it. Absent cells are empty. */
  line(level: number, ...cells: Cell[]): void {
    this.pending += `${INDENT.repeat(level)}${escaped(cells.map((cell) => cell ?? '').join('\t'))}\n`
  }

  /** `Name:  value`. */
  field(level: number, name: string, value: Cell): void {
    this.line(level, `${name}:`, value)
  }

  /** Omits an empty field. */
  optional(level: number, name: string, value: Cell): void {
    if (value !== undefined && value !== null && value !== '') this.field(level, name, value)
  }

  /** Lines after this are aligned separately. */
  endColumns(): void {
    this.aligned += alignColumns(this.pending)
    this.pending = ''
  }

  /** The lines with tabs between cells. */
  unaligned(): string {
    return this.pending
  }

  text(): string {
    this.endColumns()
    return this.aligned
  }
}
