import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const file = (name: string): Buffer =>
  readFileSync(new URL(`../../public/${name}`, import.meta.url))

interface ManifestIcon {
  src: string
  sizes: string
  type: string
}

const { icons } = JSON.parse(file('manifest.webmanifest').toString()) as { icons: ManifestIcon[] }

/** Width and height from the IHDR chunk (ISO/IEC 15948, 11.2.2). */
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`

it.each(icons.filter(({ type }) => type === 'image/png'))(
  '$src is a PNG of the size that the manifest declares',
  ({ src, sizes }) => {
    const png = file(src)
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(sizeOf(png)).toBe(sizes)
  },
)

it('the manifest lists an SVG icon for any size', () => {
  const [svg] = icons.filter(({ type }) => type === 'image/svg+xml')
  expect(svg?.sizes).toBe('any')
  expect(file(svg?.src ?? '').toString()).toMatch(/^<svg /)
})
