/**
 * Aligns cells that end with tabs. A column is a run of lines with a cell in that position; text
 * after the last tab belongs to none, as in Go's text/tabwriter.
 */

const PADDING = 2

/** Replaces tabs by spaces. */
export function alignColumns(text: string, padding = PADDING): string {
  const lines = text.split('\n').map((line) => line.split('\t'))
  const laidOut: string[] = []
  layOut(lines, 0, lines.length, [], padding, laidOut)
  return laidOut.join('\n')
}

/**
 * Aligns lines `from` to `to`, whose columns so far have known widths; then the runs of the next
 * column.
 */
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

/** In code points. */
function widthOf(text: string): number {
  let width = 0
  for (const _character of text) width++
  return width
}
