/** YAML documents one by one, taken apart at their marks as clients do before they send them. */

/** `---` alone on its line, but for a comment, or with the document's beginning behind it. */
const MARK = /^---(?=[ \t\r]*(?:#.*)?$|[ \t])/m

/** @returns the texts of the documents that are not empty, without their marks */
export function yamlDocuments(text: string): string[] {
  return text
    .split(MARK)
    .filter((document) => document.trim() !== '')
    .map((document) => document.replace(/^[ \t\r]*\n/, ''))
}
