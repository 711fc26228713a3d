/** Alone on its line except for a comment, or before the first node. */
const MARK = /^---(?=[ \t\r]*(?:#.*)?$|[ \t])/m

/** As clients split them. @returns non-empty documents without their marks */
export function yamlDocuments(text: string): string[] {
  return text
    .split(MARK)
    .filter((document) => document.trim() !== '')
    .map((document) => document.replace(/^[ \t\r]*\n/, ''))
}
