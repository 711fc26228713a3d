/**
 * RFC 7468, as in Go's encoding/pem and crypto/tls. Messages recorded from kube-apiserver 1.31, or
 * from the Go documentation.
 */
import { withoutTrailing } from '../core/text-end'

export interface PemBlock {
  label: string
  /** `name: value` */
  hasHeaders: boolean
  /** Base64 without whitespace. */
  contents: string
}

const START = '-----BEGIN '
const END = '\n-----END '
const DASHES = '-----'
const LINE = /[^\n]*(?:\n|$)/y
/** Go requires padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const CONTENTS = /[A-Za-z0-9+/=\s]*/y

function lineAt(text: string, at: number): { line: string; next: number } {
  LINE.lastIndex = at
  const [line = ''] = LINE.exec(text) ?? []
  return { line: withoutTrailing(line, ' \t\r\n'), next: at + line.length }
}

/** At the beginning of a line. */
function startAfter(text: string, at: number): number | undefined {
  if (text.startsWith(START, at)) return at + START.length
  const found = text.indexOf(`\n${START}`, at)
  return found < 0 ? undefined : found + 1 + START.length
}

/** Skips malformed blocks. @returns whether text follows the last one */
export function pemBlocks(text: string): { blocks: PemBlock[]; hasRest: boolean } {
  const blocks: PemBlock[] = []
  let rest = 0
  for (let at = startAfter(text, 0); at !== undefined; ) {
    const found = blockAt(text, at)
    if (found === undefined) break
    if (found.block !== undefined) {
      blocks.push(found.block)
      rest = found.next
    }
    at = startAfter(text, found.next)
  }
  return { blocks, hasRest: rest < text.length }
}

/** @returns undefined without a further end marker */
function blockAt(text: string, at: number): { block?: PemBlock; next: number } | undefined {
  const { line, next } = lineAt(text, at)
  if (!line.endsWith(DASHES)) return { next }
  const label = line.slice(0, -DASHES.length)
  let body = next
  let hasHeaders = false
  for (;;) {
    const header = lineAt(text, body)
    if (!header.line.includes(':')) break
    hasHeaders = true
    body = header.next
  }
  CONTENTS.lastIndex = body
  const contents = CONTENTS.exec(text)?.[0] ?? ''
  // The line break before the end marker belongs to it, except for empty contents.
  const end = body + contents.length
  if (end >= text.length) return undefined
  const endsHere =
    end > body ? text.startsWith(END, end - 1) : !hasHeaders && text.startsWith(END.slice(1), end)
  if (!endsHere) return { next: body }
  const last = lineAt(text, end + END.length - 1)
  const base64 = contents.replace(/[ \t\r\n]+/g, '')
  if (last.line !== label + DASHES || !BASE64.test(base64)) return { next: body }
  return { block: { label, hasHeaders, contents: base64 }, next: last.next }
}

const listed = (blocks: PemBlock[]): string => `[${blocks.map(({ label }) => label).join(' ')}]`
const isKey = ({ label }: PemBlock): boolean =>
  label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY')

/** @returns undefined for a possible pair */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const { blocks: certificates } = pemBlocks(certificate)
  if (certificates.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (!certificates.some(({ label }) => label === 'CERTIFICATE')) {
    if (
      certificates.length === 1 &&
      certificates.every(({ label }) => label.endsWith('PRIVATE KEY'))
    )
      return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${listed(certificates)}`
  }
  const { blocks: keys } = pemBlocks(key)
  if (keys.some(isKey)) return undefined
  if (keys.length === 0) return 'tls: failed to find any PEM data in key input'
  if (keys.length === 1 && keys[0]?.label === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key'
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${listed(keys)}`
}
