/**
 * Prints objects as YAML that this page, kubectl and other programs read alike: they parse YAML 1.1
 * as Go does.
 */
import { Document, visit } from 'yaml'

/** Octal numbers to Go's reader, though not in YAML 1.1. Others, as `yes`, `1_000` or `2026-01-01`, the package quotes by itself. */
const GO_OCTAL = /^[-+]?0o[0-7_]+$/

/** @param value JSON @returns its YAML in block style, one line a value, with an end of line */
export function yamlText(value: unknown): string {
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && GO_OCTAL.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 })
}
