export class YamlLines {
  text = ''
  column = 0

  write(text: string): void {
    this.text += text
    this.column += text.length
  }

  newLine(indent: number): void {
    this.text += `\n${' '.repeat(indent)}`
    this.column = indent
  }
}
