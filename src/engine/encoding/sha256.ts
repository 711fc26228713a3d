/** FIPS 180-4; synchronous, for short texts. */

/** From the cube roots of the first 64 primes, and the square roots of the first 8. */
const [ROUND_CONSTANTS, INITIAL_STATE] = constants()

function constants(): [Int32Array, Int32Array] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < 64; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0
  return [
    Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  ]
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

export function sha256(message: Uint8Array): Uint8Array {
  const state = INITIAL_STATE.slice()
  const padded = pad(message)
  const view = new DataView(padded.buffer)
  const words = new Int32Array(64)
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(offset + 4 * i)
    compress(state, words)
  }
  const hash = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => {
    hash.setInt32(4 * i, word)
  })
  return new Uint8Array(hash.buffer)
}

/** One bit, zeros, and the length in bits. */
function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(padded.length - 4, (message.length * 8) >>> 0)
  return padded
}

function compress(state: Int32Array, words: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const [w15, w2] = [words[i - 15] as number, words[i - 2] as number]
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const t1 = (h + s1 + choice + (ROUND_CONSTANTS[i] as number) + (words[i] as number)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const t2 = (s0 + majority) | 0
    ;[a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g]
  }
  const next = [a, b, c, d, e, f, g, h]
  next.forEach((word, i) => {
    state[i] = ((state[i] as number) + word) | 0
  })
}

/** Upper-case, as in entity tags and hashed URLs. */
export function textHash(text: string): string {
  return Array.from(sha256(new TextEncoder().encode(text)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
    .join('')
    .toUpperCase()
}
