/** UTF-16 code units with a meaning in YAML; NaN is the end of the text. */

export const TAB = 9
export const LINE_FEED = 10
export const CARRIAGE_RETURN = 13
export const SPACE = 32
export const EXCLAMATION_MARK = 33
export const QUOTE = 34
export const HASH = 35
export const PERCENT = 37
export const AMPERSAND = 38
export const APOSTROPHE = 39
export const ASTERISK = 42
export const PLUS = 43
export const COMMA = 44
export const MINUS = 45
export const DOT = 46
export const COLON = 58
export const LESS = 60
export const GREATER = 62
export const QUESTION_MARK = 63
export const OPEN_BRACKET = 91
export const BACKSLASH = 92
export const CLOSE_BRACKET = 93
export const OPEN_BRACE = 123
export const BAR = 124
export const CLOSE_BRACE = 125
const NEXT_LINE = 0x85
export const LINE_SEPARATOR = 0x2028
export const PARAGRAPH_SEPARATOR = 0x2029
export const BYTE_ORDER_MARK = 0xfeff

export const isBlank = (sign: number): boolean => sign === SPACE || sign === TAB

/** YAML 1.1 has three more line breaks than YAML 1.2 (section 5.4). */
export const isBreak = (sign: number): boolean =>
  sign === LINE_FEED ||
  sign === CARRIAGE_RETURN ||
  sign === NEXT_LINE ||
  sign === LINE_SEPARATOR ||
  sign === PARAGRAPH_SEPARATOR

/** Also true at the end of the text. */
export const isSpace = (sign: number): boolean =>
  sign === SPACE || Number.isNaN(sign) || isBreak(sign) || sign === TAB

/** Ends a plain scalar in brackets and braces. */
export const endsPlainInFlow = (sign: number): boolean =>
  sign === COMMA ||
  sign === QUESTION_MARK ||
  sign === OPEN_BRACKET ||
  sign === CLOSE_BRACKET ||
  sign === OPEN_BRACE ||
  sign === CLOSE_BRACE

/** Start no plain scalar, except `-`, `?` and `:` before a non-space. */
const INDICATORS = new Set([...'-?:,[]{}#&*!|>\'"%@`'].map((sign) => sign.charCodeAt(0)))

export const isIndicator = (sign: number): boolean => INDICATORS.has(sign)
