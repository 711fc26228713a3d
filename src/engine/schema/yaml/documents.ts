/** Alone on its line except for a comment, or before the first node. */
const MARK = /^---(?=[ \t\r]*(?:#.*)?$|[ \t])/m

export interface LocatedDocument {
  text: string
  /** 1-based, of the first line of the text. */
  line: number
}

/**
 * As clients split them.
 * @returns non-empty documents without their marks
 */
export function yamlDocuments(text: string): string[] {
  return locatedYamlDocuments(text).map((document) => document.text)
}

/** As `yamlDocuments`, with the line of each in the text. */
export function locatedYamlDocuments(text: string): LocatedDocument[] {
  const documents: LocatedDocument[] = []
  let line = 1
  for (const part of text.split(MARK)) {
    const document = part.replace(/^[ \t\r]*\n/, '')
    const skipped = document.length < part.length ? 1 : 0
    if (part.trim() !== '') documents.push({ text: document, line: line + skipped })
    line += lineBreaksIn(part)
  }
  return documents
}

function lineBreaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
