/** Whatever a cluster holds is text from anywhere: the page writes it as text, and has no way to write it as anything else. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../src/', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.startsWith('engine/generated/'),
)

const WAYS: Record<string, RegExp> = {
  'text becomes markup':
    /dangerouslySetInnerHTML|\.innerHTML\b|\.outerHTML\b|insertAdjacentHTML|document\.write|createContextualFragment|parseFromString|\bsetHTML/,
  'text becomes code': /\beval\(|new Function\(|['"`]javascript:/,
  'text becomes a document': /\bsrcdoc\b|srcDoc=/,
}
/** The frame without an origin, whose only script is the page's own. */
const ALLOWED = ['app/features/webhooks/open-frame.ts: text becomes a document']

it('nothing in the source writes HTML, or runs text, outside the frame that is made for it', () => {
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) => {
    const text = readFileSync(source + file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    return Object.entries(WAYS).flatMap(([what, pattern]) =>
      pattern.test(text) ? [`${file}: ${what}`] : [],
    )
  })
  expect(found).toEqual(ALLOWED)
})
