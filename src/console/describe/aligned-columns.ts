/**
 * Text whose cells end with tabs, laid out in columns: a column is a run of lines that have a cell there, and is as wide as its
 * widest cell and the padding. Text after a line's last tab belongs to no column, as in Go's text/tabwriter.
 */

const PADDING = 2

/** @returns the text with spaces in place of its tabs */
export function alignColumns(text: string, padding = PADDING): string {
  const lines = text.split('\n').map((line) => line.split('\t'))
  const laidOut: string[] = []
  layOut(lines, 0, lines.length, [], padding, laidOut)
  return laidOut.join('\n')
}

/** Lines `from` to `to` share the columns whose widths are known; finds the runs of the next one. */
function layOut(
  lines: string[][],
  from: number,
  to: number,
  widths: number[],
  padding: number,
  laidOut: string[],
): void {
  const column = widths.length
  const hasCell = (line: number): boolean => column < (lines[line]?.length ?? 0) - 1
  let line = from
  while (line < to) {
    if (!hasCell(line)) {
      laidOut.push(written(lines[line] ?? [], widths))
      line++
      continue
    }
    let end = line
    let width = 0
    for (; end < to && hasCell(end); end++)
      width = Math.max(width, widthOf(lines[end]?.[column] ?? '') + padding)
    layOut(lines, line, end, [...widths, width], padding, laidOut)
    line = end
  }
}

function written(cells: string[], widths: number[]): string {
  return cells
    .map((cell, column) => {
      const width = widths[column]
      return width === undefined ? cell : cell + ' '.repeat(Math.max(0, width - widthOf(cell)))
    })
    .join('')
}

/** In characters as people count them, not in halves of surrogate pairs. */
function widthOf(text: string): number {
  let width = 0
  for (const _character of text) width++
  return width
}
