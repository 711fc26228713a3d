/** The document of measurements: measured values are between markers; the text around them is kept. */

const begin = (name: string): string => `<!-- measured: ${name} -->`
const end = (name: string): string => `<!-- end of ${name} -->`

/**
 * @param title of the section that is added where the document has none of that name
 * @returns the document with the text in the place of what was measured before
 */
export function spliced(document: string, name: string, title: string, text: string): string {
  const measured = `${begin(name)}\n\n${text.trim()}\n\n${end(name)}`
  const from = document.indexOf(begin(name))
  const to = document.indexOf(end(name), from)
  if (from < 0 || to < 0) return `${document.trimEnd()}\n\n## ${title}\n\n${measured}\n`
  return document.slice(0, from) + measured + document.slice(to + end(name).length)
}
