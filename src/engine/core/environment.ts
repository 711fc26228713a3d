/**
 * The engine's only access to the outside world, so that a run is reproducible with the same seed
 * and clock.
 */
import { Wheel } from '../time/wheel'

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /**
   * Calls back once after that many milliseconds of this clock; returns a function that cancels it.
   */
  after(milliseconds: number, run: () => void): () => void
}

export interface Random {
  /** Fills the array with random bytes and returns it. */
  bytes(into: Uint8Array): Uint8Array
}

export interface Log {
  /** An internal error: the response is a 500 Status, and the error is reported here. */
  error(message: string, cause: unknown): void
  /** A warning for the operator about options. */
  warn?(message: string): void
}

/** A JSON Web Key (RFC 7517, RFC 7518); private if it has `d`. */
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

/** Signature algorithms (RFC 7518, section 3.1). */
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

/** The signature algorithm of a key: RS256 for RSA keys, for others by curve. */
export const algorithmOf = (key: Jwk): SignatureAlgorithm =>
  key.kty === 'RSA' ? 'RS256' : ALGORITHM_OF_CURVE[key.crv]

/** Whether the key supports the algorithm. */
export const fitsAlgorithm = (key: Jwk, algorithm: string): algorithm is SignatureAlgorithm =>
  key.kty === 'RSA'
    ? SIGNATURE_ALGORITHMS.some((one) => one === algorithm && !one.startsWith('ES'))
    : algorithm === algorithmOf(key)

/**
 * Signing of tokens with the host's cryptography. Keys are cached by object identity, so that each
 * is imported once.
 */
export interface Signatures {
  /**
   * Generates a private key of the host's preferred type. Slow: called once, for the first token.
   */
  generateKey(): Promise<Jwk>
  /**
   * @param key private
   * @returns the signature in JWS form: for ECDSA r and s concatenated (RFC 7518, section 3.4)
   */
  sign(key: Jwk, message: Uint8Array): Promise<Uint8Array>
  /** @param algorithm one that fits the key; absent: that of the key (`algorithmOf`) */
  verify(
    key: Jwk,
    signature: Uint8Array,
    message: Uint8Array,
    algorithm?: SignatureAlgorithm,
  ): Promise<boolean>
}

/** The key and certificate of an authority. */
export interface SigningAuthority {
  key: Jwk
  /** PEM. */
  certificate: string
}

/** Files that flags name. */
export interface Files {
  /** @throws FileError */
  read(path: string): string
  /**
   * Calls back when the file may have changed.
   * @returns a function that stops it; absent: unsupported, so the file is reread periodically
   */
  watch?(path: string, changed: () => void): () => void
}

/**
 * A file that cannot be read, with the message of Go's `os` package: `open /x: no such file or
 * directory`.
 */
export class FileError extends Error {
  /** @param why `no such file or directory` */
  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`open ${path}: ${why}`)
  }
}

/** A manually advanced clock for replays, tests and the paused time of the page. */
export class SimulatedClock implements Clock {
  private readonly due = new Wheel()
  constructor(private time: number = Date.UTC(2026, 0, 1)) {}
  now(): number {
    return this.time
  }
  after(milliseconds: number, run: () => void): () => void {
    return this.due.set(this.time + Math.max(0, milliseconds), run)
  }
  /** The time of the next callback, in milliseconds since the epoch. */
  nextDue(): number | undefined {
    return this.due.next()
  }
  /** Advances the time and runs due callbacks, in order of time, then of registration. */
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

/** A repeatable source of bytes (xorshift128), for tests and shared scenarios. */
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

/** A random (version 4) UUID from the given source. RFC 9562, section 5.4. */
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

/** Two hexadecimal digits for each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Characters of generated suffixes: no vowels, and no easily confused characters. See
 * k8s.io/apimachinery, util/rand.
 */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** The random suffix of `generateName` and pod names: five characters by default. */
export function randomSuffix(random: Random, length = 5): string {
  let suffix = ''
  for (const byte of random.bytes(new Uint8Array(length)))
    suffix += SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]
  return suffix
}

/** Whole seconds in RFC 3339, as `metav1.Time` writes them: `2026-01-01T00:00:00Z`. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== lastSecond) {
    lastTimestamp = `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastTimestamp
}

/** Many objects are written in the same second. */
let lastSecond = Number.NaN
let lastTimestamp = ''
