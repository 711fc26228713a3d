/** MD5 (RFC 1321), by which the controllers sort ports of Endpoints and EndpointSlices. */

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const
const SINES = Array.from(
  { length: 64 },
  (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) >>> 0,
)
const MIXERS: ((x: number, y: number, z: number) => number)[] = [
  (x, y, z) => (x & y) | (~x & z),
  (x, y, z) => (x & z) | (y & ~z),
  (x, y, z) => x ^ y ^ z,
  (x, y, z) => y ^ (x | ~z),
]
/** Message word of a step, by round. */
const WORDS: ((step: number) => number)[] = [
  (i) => i,
  (i) => (5 * i + 1) % 16,
  (i) => (3 * i + 5) % 16,
  (i) => (7 * i) % 16,
]

/** @returns 32 hexadecimal digits */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, (bytes.length << 3) >>> 0, true)
  view.setUint32(padded.length - 4, Math.floor(bytes.length / 2 ** 29), true)
  let state: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let at = 0; at < padded.length; at += 64) state = afterBlock(state, view, at)
  const digest = new DataView(new ArrayBuffer(16))
  for (const [i, word] of state.entries()) digest.setUint32(i * 4, word, true)
  return Array.from(new Uint8Array(digest.buffer), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

type State = readonly [number, number, number, number]

function afterBlock(state: State, view: DataView, at: number): State {
  let [a, b, c, d] = state
  for (let i = 0; i < 64; i++) {
    const round = i >> 4
    const mixed = (MIXERS[round] as (typeof MIXERS)[number])(b, c, d)
    const word = view.getUint32(at + 4 * (WORDS[round] as (typeof WORDS)[number])(i), true)
    const sum = (a + mixed + (SINES[i] ?? 0) + word) | 0
    const shift = SHIFTS[round]?.[i & 3] ?? 0
    const next = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
    a = d
    d = c
    c = b
    b = next
  }
  return [(state[0] + a) >>> 0, (state[1] + b) >>> 0, (state[2] + c) >>> 0, (state[3] + d) >>> 0]
}
