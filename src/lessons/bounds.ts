/** A lesson can come from anyone, so reading it must be cheap. */
export const BOUNDS = {
  /** UTF-16 units of the whole text. */
  text: 256 * 1024,
  depth: 40,
  steps: 20,
  /** Per step. */
  checks: 12,
  /** Per solution, and for the wrong solution. */
  moves: 40,
  /** In the start state. */
  objects: 60,
  files: 8,
  /** In UTF-16 units. */
  title: 120,
  words: 1_000,
  paragraphs: 8_000,
  /** Of a file, and of the YAML of the start state. */
  file: 64 * 1024,
  pattern: 200,
} as const
