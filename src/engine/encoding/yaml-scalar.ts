/** Styles in which a text is parsed unchanged (YAML 1.1), recorded from kube-apiserver 1.31. */
import type { YamlLines } from './yaml-lines'

/** Lines break at the first space after this column. */
const WIDTH = 80

/** @param isKey the scalar must be on one line */
export function writeScalar(
  lines: YamlLines,
  value: string | number | boolean | null,
  indent: number,
  isKey: boolean,
): void {
  if (typeof value === 'number') lines.write(numberText(value))
  else if (typeof value !== 'string') lines.write(String(value))
  else writeText(lines, value, indent, isKey)
}

/** With an exponent from a million up and below a ten-thousandth. */
function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 21 && Number.isInteger(value)) return String(value)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function writeText(lines: YamlLines, text: string, indent: number, isKey: boolean): void {
  const allowed = stylesFor(text)
  const breaks = isKey ? Number.POSITIVE_INFINITY : WIDTH
  if (text.includes('\n')) {
    if (allowed.block && !isKey) writeLiteral(lines, text, indent)
    else writeDoubleQuoted(lines, text, indent, breaks)
  } else if (!readsAsText(text)) writeDoubleQuoted(lines, text, indent, breaks)
  else if (allowed.plain) writeBroken(lines, text, indent, breaks, false)
  else if (allowed.singleQuoted) {
    lines.write("'")
    writeBroken(lines, text.replaceAll("'", "''"), indent, breaks, true)
    lines.write("'")
  } else writeDoubleQuoted(lines, text, indent, breaks)
}

interface Styles {
  plain: boolean
  singleQuoted: boolean
  block: boolean
}

const BREAK = /[\r\n\u0085\u2028\u2029]/
/** Tab, byte order mark, beyond the basic plane. */
const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/
const BEGINS_WITH_INDICATOR = /^([#,[\]{}&*!|>'"%@`]|[?:-]([ \t]|$)|---|\.\.\.)/
const CONTAINS_INDICATOR = /:([ \t]|$)|[ \t\r\n\0\u0085\u2028\u2029]#/

function stylesFor(text: string): Styles {
  const unprintable = UNPRINTABLE.test(text)
  const spaceBeforeBreak = / [\r\n\u0085\u2028\u2029]/.test(text)
  const edges = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/.test(text)
  const indicators = BEGINS_WITH_INDICATOR.test(text) || CONTAINS_INDICATOR.test(text)
  const none = unprintable || spaceBeforeBreak
  return {
    plain: !none && !edges && !indicators && !BREAK.test(text),
    singleQuoted: !none && !/[\r\n\u0085\u2028\u2029] /.test(text),
    block: !none && !text.endsWith(' '),
  }
}

const WORDS = new Set(
  [
    'y',
    'Y',
    'yes',
    'Yes',
    'YES',
    'true',
    'True',
    'TRUE',
    'on',
    'On',
    'ON',
    'n',
    'N',
    'no',
    'No',
    'NO',
    'false',
    'False',
    'FALSE',
  ]
    .concat([
      'off',
      'Off',
      'OFF',
      '',
      '~',
      'null',
      'Null',
      'NULL',
      '.nan',
      '.NaN',
      '.NAN',
      '.inf',
      '.Inf',
      '.INF',
    ])
    .concat(['+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF']),
)
const INTEGER = /^[-+]?(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|\d+)$/
const FLOAT = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}([Tt ]\d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?(Z|[-+]\d\d:\d\d)?)?$/
const BASE_60 = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/

/** Not parsed as a boolean, number, time or null. */
function readsAsText(text: string): boolean {
  if (WORDS.has(text)) return false
  if (!/^[-+.\d]/.test(text)) return true
  const plain = text.replaceAll('_', '')
  return !INTEGER.test(plain) && !FLOAT.test(plain) && !TIMESTAMP.test(text) && !BASE_60.test(text)
}

/** Only single spaces may become line breaks, in quotes not at the ends. */
function writeBroken(
  lines: YamlLines,
  text: string,
  indent: number,
  width: number,
  quoted: boolean,
): void {
  if (lines.column + text.length <= width) {
    lines.write(text)
    return
  }
  for (let i = 0; i < text.length; i++) {
    const single = text[i] === ' ' && text[i - 1] !== ' ' && text[i + 1] !== ' '
    if (single && lines.column > width && (!quoted || (i > 0 && i < text.length - 1)))
      lines.newLine(indent)
    else lines.write(text[i] as string)
  }
}

const ESCAPES: Record<number, string> = {
  0: '0',
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  27: 'e',
  34: '"',
  92: '\\',
  133: 'N',
  160: '_',
  8232: 'L',
  8233: 'P',
}

function escaped(code: number): string {
  const short = ESCAPES[code]
  if (short !== undefined) return `\\${short}`
  const digits = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`
}

function writeDoubleQuoted(lines: YamlLines, text: string, indent: number, width: number): void {
  lines.write('"')
  const characters = [...text]
  let afterSpace = false
  characters.forEach((sign, i) => {
    if (UNPRINTABLE.test(sign) || BREAK.test(sign) || sign === '"' || sign === '\\') {
      lines.write(escaped(sign.codePointAt(0) as number))
      afterSpace = false
    } else if (
      sign === ' ' &&
      !afterSpace &&
      lines.column > width &&
      i > 0 &&
      i < characters.length - 1
    ) {
      lines.newLine(indent)
      if (characters[i + 1] === ' ') lines.write('\\')
      afterSpace = true
    } else {
      lines.write(sign)
      afterSpace = sign === ' '
    }
  })
  lines.write('"')
}

/** `|` with indentation and chomping indicators if needed. */
function writeLiteral(lines: YamlLines, text: string, indent: number): void {
  const hint = /^[ \r\n]/.test(text) ? '2' : ''
  const ending = text.endsWith('\n') ? (text.endsWith('\n\n') || text === '\n' ? '+' : '') : '-'
  lines.write(`|${hint}${ending}`)
  const rows = text.split('\n')
  if (ending !== '-') rows.pop()
  for (const row of rows) {
    lines.newLine(row === '' ? 0 : indent)
    lines.write(row)
  }
}
