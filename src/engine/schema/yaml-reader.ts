/** YAML bodies (YAML 1.1, first document). */
import { parseDocument } from 'yaml'
import type { Json } from '../object'
import type { ReadDocument } from './json-reader'

/** A body that is not YAML; the message is the real server's. */
export class YamlSyntaxError extends Error {}

/** @throws YamlSyntaxError */
export function readYaml(text: string): ReadDocument {
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false })
  const [error] = document.errors
  if (error !== undefined) throw new YamlSyntaxError(`yaml: ${error.message}`)
  return { value: (document.toJS() ?? null) as Json, duplicates: [] }
}
