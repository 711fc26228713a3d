/** Contrast of the page's colors: WCAG 2.2, success criterion 1.4.3 (4.5 : 1). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../src/app/theme.css', import.meta.url), 'utf8')
const COLORS = new Map(
  [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, light, dark]) => [name as string, { light: light as string, dark: dark as string }],
  ),
)

/** Relative luminance as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

const SURFACES = ['ground', 'panel', 'sunken', 'raised', 'hover']
const TEXTS = ['text', 'soft', 'faint', 'accent', 'good', 'bad', 'warn']
const CODES = ['code-key', 'code-text', 'code-number', 'code-word', 'code-comment']
const OWNERS = ['blue', 'orange', 'green', 'violet', 'pink', 'teal', 'olive', 'gray'].map(
  (color) => `owner-${color}`,
)
const PAIRS: [string, string][] = [
  ...TEXTS.flatMap((text) => SURFACES.map((surface): [string, string] => [text, surface])),
  ...OWNERS.flatMap((owner) =>
    ['panel', 'sunken', 'raised'].map((surface): [string, string] => [owner, surface]),
  ),
  ...CODES.flatMap((text) =>
    ['panel', 'sunken'].map((surface): [string, string] => [text, surface]),
  ),
  ...['accent', 'good', 'bad', 'warn'].map((tone): [string, string] => [tone, `${tone}-soft`]),
  ['on-accent', 'accent'],
  ['panel', 'bad'],
  ['text', 'trough'],
  ['soft', 'trough'],
  ['text', 'chosen'],
]

for (const theme of ['light', 'dark'] as const) {
  describe(`in the ${theme} theme`, () => {
    it.each(PAIRS)('%s can be read on %s', (text, surface) => {
      const [above, below] = [COLORS.get(text), COLORS.get(surface)]
      if (above === undefined || below === undefined)
        throw new Error(`theme.css has no ${above ? surface : text}`)
      expect(contrast(above[theme], below[theme])).toBeGreaterThanOrEqual(4.5)
    })
  })
}
