/** Wraps at spaces. A longer word has its own line; line breaks stay. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n')
}

function wrappedLine(line: string, width: number): string {
  let result = ''
  let column = 0
  for (const [, spaces = '', word = ''] of line.matchAll(/(\s*)(\S*)/g)) {
    if (word === '') {
      if (column + spaces.length <= width) result += spaces
    } else if (column + spaces.length + word.length > width && column + spaces.length > 0) {
      result += `\n${word}`
      column = word.length
    } else {
      result += spaces + word
      column += spaces.length + word.length
    }
  }
  return result
}

/** Indents every line, including empty ones. */
export function indented(text: string, by: number): string {
  const space = ' '.repeat(by)
  return space + text.replaceAll('\n', `\n${space}`)
}
