/** The tokens of a YAML text: indicators, scalars, and starts and ends of block collections. */

/** `line` is where it begins, counted from zero. */
export type Token =
  | { type: Mute; line: number }
  | { type: 'scalar'; line: number; value: string; plain: boolean }
  | { type: 'anchor' | 'alias'; line: number; name: string }
  | { type: 'tag'; line: number; handle: string; suffix: string }
  | { type: 'yaml directive'; line: number; version: string }
  | { type: 'tag directive'; line: number; handle: string; prefix: string }

/** Tokens without content. */
export type Mute =
  | 'end of text'
  | 'document start'
  | 'document end'
  | 'block list'
  | 'block map'
  | 'block end'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | 'entry'
  | 'key'
  | 'value'
