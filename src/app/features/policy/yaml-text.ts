/** Parses YAML as the server does. */
import type { Json } from '../../../engine/core/object'
import { readYaml } from '../../../engine/schema/yaml/reader'

/** @returns undefined for an empty text @throws Error with the syntax error */
export function readText(text: string): Json | undefined {
  if (text.trim() === '') return undefined
  return readYaml(text).value
}
