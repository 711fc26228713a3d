/** Size limits of a lesson. A file or link can come from anyone, so reading it must be cheap. */
export const BOUNDS = {
  /** UTF-16 units of the whole text. */
  text: 256 * 1024,
  /** Members within members. */
  depth: 40,
  steps: 20,
  /** Of a step. */
  checks: 12,
  /** Of a solution, of a step's as of the wrong one. */
  moves: 40,
  /** Of the start state. */
  objects: 60,
  files: 8,
  /** UTF-16 units of a title, of a hint or the text of a check, of a story or another paragraph. */
  title: 120,
  words: 1_000,
  paragraphs: 8_000,
  /** Limits of a file's text and of the YAML of the start state. */
  file: 64 * 1024,
  /** Of a regular expression. */
  pattern: 200,
} as const
