/** The only access to the outside: with the same seed and clock, every run is the same. */
import { Wheel } from '../time/wheel'

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void
}

export interface Random {
  bytes(into: Uint8Array): Uint8Array
}

export interface Log {
  /** For errors that clients see as a 500. */
  error(message: string, cause: unknown): void
  /** For the operator. */
  warn?(message: string): void
}

/** RFC 7517, RFC 7518; private if it has `d`. */
export type Jwk =
  | {
      kty: 'RSA'
      n: string
      e: string
      d?: string
      p?: string
      q?: string
      dp?: string
      dq?: string
      qi?: string
    }
  | { kty: 'EC'; crv: 'P-256' | 'P-384' | 'P-521'; x: string; y: string; d?: string }

/** RFC 7518, section 3.1. */
export const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
] as const
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number]

const ALGORITHM_OF_CURVE = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const

export const algorithmOf = (key: Jwk): SignatureAlgorithm =>
  key.kty === 'RSA' ? 'RS256' : ALGORITHM_OF_CURVE[key.crv]

export const fitsAlgorithm = (key: Jwk, algorithm: string): algorithm is SignatureAlgorithm =>
  key.kty === 'RSA'
    ? SIGNATURE_ALGORITHMS.some((one) => one === algorithm && !one.startsWith('ES'))
    : algorithm === algorithmOf(key)

/** Keys are cached by object identity: import each only once. */
export interface Signatures {
  /** Private. Slow, so called only for the first token. */
  generateKey(): Promise<Jwk>
  /** @returns JWS form: for ECDSA r and s concatenated (RFC 7518, section 3.4) */
  sign(key: Jwk, message: Uint8Array): Promise<Uint8Array>
  /** @param algorithm absent: `algorithmOf(key)` */
  verify(
    key: Jwk,
    signature: Uint8Array,
    message: Uint8Array,
    algorithm?: SignatureAlgorithm,
  ): Promise<boolean>
}

export interface SigningAuthority {
  key: Jwk
  /** PEM. */
  certificate: string
}

export interface Files {
  /** @throws FileError */
  read(path: string): string
  /** If absent, files are reread periodically. @returns a function that stops it */
  watch?(path: string, changed: () => void): () => void
}

/** As Go's `os`: `open /x: no such file or directory`. */
export class FileError extends Error {
  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`open ${path}: ${why}`)
  }
}

/** Advanced manually: for replays, tests and the page's paused time. */
export class SimulatedClock implements Clock {
  private readonly due = new Wheel()
  constructor(private time: number = Date.UTC(2026, 0, 1)) {}
  now(): number {
    return this.time
  }
  after(milliseconds: number, run: () => void): () => void {
    return this.due.set(this.time + Math.max(0, milliseconds), run)
  }
  /** Milliseconds since the Unix epoch. */
  nextDue(): number | undefined {
    return this.due.next()
  }
  /** Runs what is due, ties in order of registration. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds
    for (;;) {
      const next = this.due.next()
      const run = this.due.take(end)
      if (next === undefined || run === undefined) break
      this.time = Math.max(this.time, next)
      run()
    }
    this.time = end
  }
}

/** xorshift128, for tests and shared scenarios. */
export function seededRandom(seed: number): Random {
  let [x, y, z, w] = [seed >>> 0 || 1, 362436069, 521288629, 88675123]
  const next = () => {
    const t = x ^ (x << 11)
    x = y
    y = z
    z = w
    w = (w ^ (w >>> 19) ^ t ^ (t >>> 8)) >>> 0
    return w
  }
  return {
    bytes(into) {
      for (let i = 0; i < into.length; i++) into[i] = next() & 0xff
      return into
    },
  }
}

/** RFC 9562, section 5.4. */
export function randomUuid(random: Random): string {
  const bytes = random.bytes(new Uint8Array(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  let text = ''
  for (let i = 0; i < 16; i++)
    text +=
      i === 4 || i === 6 || i === 8 || i === 10
        ? `-${HEX[bytes[i] as number]}`
        : HEX[bytes[i] as number]
  return text
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** k8s.io/apimachinery, util/rand: no vowels and no easily confused characters. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** Of `generateName` and pod names. */
export function randomSuffix(random: Random, length = 5): string {
  let suffix = ''
  for (const byte of random.bytes(new Uint8Array(length)))
    suffix += SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]
  return suffix
}

/** `2026-01-01T00:00:00Z`, as `metav1.Time`. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== lastSecond) {
    lastTimestamp = `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastTimestamp
}

let lastSecond = Number.NaN
let lastTimestamp = ''
