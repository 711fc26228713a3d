/** `line` is from zero. */
export type Token =
  | { type: Mute; line: number }
  | { type: 'scalar'; line: number; value: string; plain: boolean }
  | { type: 'anchor' | 'alias'; line: number; name: string }
  | { type: 'tag'; line: number; handle: string; suffix: string }
  | { type: 'yaml directive'; line: number; version: string }
  | { type: 'tag directive'; line: number; handle: string; prefix: string }

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
