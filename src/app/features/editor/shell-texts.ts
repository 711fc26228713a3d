import { countText } from '../../components/format'

// YAML view

export const keys = 'Arrow down moves to the fields, Enter explains one.'
export const more = (lines: number) =>
  `${countText(lines, 'more line')}: copy the YAML to see them.`
export const fold = 'collapse'
