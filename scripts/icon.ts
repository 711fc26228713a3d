/** The mark of the product as a picture: a rounded tile with a K. Drawn here, so that no picture has to be kept. */
import { crc32, deflateSync } from 'node:zlib'

/** In a square of 20: strokes of 1.8, rounded at their ends. */
const STROKES: readonly (readonly [number, number, number, number])[] = [
  [6.6, 5.2, 6.6, 14.8],
  [13.6, 5.2, 6.8, 10.6],
  [9.6, 8.5, 13.8, 14.8],
]
const HALF_STROKE = 0.95
const GROUND = [0x35, 0x58, 0xd6] as const
const LINE = [0xff, 0xff, 0xff] as const

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect x="1" y="1" width="18" height="18" rx="4.2" fill="#3558d6"/><path d="${STROKES.map(([x, y, a, b]) => `M${x} ${y} ${a} ${b}`).join('')}" stroke="#fff" stroke-width="1.9" stroke-linecap="round" fill="none"/></svg>`

/**
 * @param size in pixels
 * @param maskable fills the square, with the K in the part that every mask leaves
 * @returns a PNG file (ISO/IEC 15948), with an alpha channel
 */
export function iconPng(size: number, maskable = false): Buffer {
  // One filter byte (none) before each row.
  const rows = Buffer.alloc(size * (1 + size * 4))
  const scale = maskable ? 26 : 20
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [u, v] = [x + 0.5, y + 0.5].map((place) => (place / size) * scale - (scale - 20) / 2) as [number, number]
      const pixel = scale / size
      const ground = maskable ? 1 : cover(tileDistance(u, v), pixel)
      const line = cover(Math.min(...STROKES.map((stroke) => strokeDistance(u, v, stroke))), pixel)
      const at = y * (1 + size * 4) + 1 + x * 4
      for (let i = 0; i < 3; i++) rows[at + i] = Math.round((GROUND[i] ?? 0) * (1 - line) + (LINE[i] ?? 0) * line)
      rows[at + 3] = Math.round(ground * 255)
    }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))])
}

/** How much of a pixel lies inside, by the distance of its middle from the edge. */
const cover = (distance: number, pixel: number): number => Math.min(1, Math.max(0, 0.5 - distance / pixel))

/** From the edge of a square of 18 with round corners; negative inside. */
function tileDistance(u: number, v: number): number {
  const radius = 4.2
  const [dx, dy] = [Math.abs(u - 10) - 9 + radius, Math.abs(v - 10) - 9 + radius]
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
}

function strokeDistance(u: number, v: number, [x, y, a, b]: readonly [number, number, number, number]): number {
  const [dx, dy] = [a - x, b - y]
  const along = Math.min(1, Math.max(0, ((u - x) * dx + (v - y) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(u - x - along * dx, v - y - along * dy) - HALF_STROKE
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
