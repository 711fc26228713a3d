/** YAML that YAML 1.1 parsers, such as Go's, read with the same values. */
import { Document, visit } from 'yaml'

/** Go parses these as octal numbers. The package itself quotes `yes`, `1_000` and `2026-01-01`. */
const GO_OCTAL = /^[-+]?0o[0-7_]+$/

/** @param value JSON @returns block style with a final newline */
export function yamlText(value: unknown): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && GO_OCTAL.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 })
}
