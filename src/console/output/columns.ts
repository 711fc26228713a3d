const PADDING = 3
const LEAST_WIDTH = 6

/** Widths never shrink, so that a watch's rows align with earlier ones. */
export class Columns {
  private widths: number[] = []

  /** Does not pad the last cell of a row. */
  lines(rows: readonly (readonly string[])[]): string {
    for (const row of rows)
      row.slice(0, -1).forEach((cell, at) => {
        this.widths[at] = Math.max(this.widths[at] ?? LEAST_WIDTH, [...cell].length + PADDING)
      })
    return rows
      .map(
        (row) =>
          `${row.map((cell, at) => (at === row.length - 1 ? cell : this.padded(cell, at))).join('')}\n`,
      )
      .join('')
  }

  private padded(cell: string, at: number): string {
    return cell + ' '.repeat((this.widths[at] ?? 0) - [...cell].length)
  }
}
