/** The wire format: the encoding guide of Protocol Buffers. */

export enum WireType {
  Varint = 0,
  Fixed64 = 1,
  Delimited = 2,
  StartGroup = 3,
  EndGroup = 4,
  Fixed32 = 5,
}

const LOW = 0x1_0000_0000
const FIRST_SIZE = 1024
const utf8 = new TextEncoder()

/** Writes backward, since lengths come before contents: callers write fields last first. */
export class ProtobufWriter {
  private buffer = new Uint8Array(FIRST_SIZE)
  private start = FIRST_SIZE

  finish(): Uint8Array {
    return this.buffer.slice(this.start)
  }

  tag(number: number, wire: WireType): void {
    this.varint(number * 8 + wire)
  }

  /** Negative numbers take ten bytes. */
  varint(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.reserve(1)
      this.buffer[--this.start] = value
      return
    }
    let low = value < 0 ? ((value % LOW) + LOW) % LOW : value % LOW
    let high = Math.floor(value / LOW)
    if (high < 0) high += LOW
    const bytes: number[] = []
    while (high > 0 || low >= 0x80) {
      bytes.push((low % 0x80) | 0x80)
      low = Math.floor(low / 0x80) + (high % 0x80) * 0x200_0000
      high = Math.floor(high / 0x80)
    }
    bytes.push(low)
    this.bytes(bytes)
  }

  double(value: number): void {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setFloat64(0, value, true)
    this.bytes(bytes)
  }

  bytes(bytes: ArrayLike<number>): void {
    this.reserve(bytes.length)
    this.start -= bytes.length
    this.buffer.set(bytes, this.start)
  }

  /** Most text is ASCII. */
  text(text: string): void {
    const { length } = text
    this.reserve(length)
    const begin = this.start - length
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code >= 0x80) {
        this.bytes(utf8.encode(text))
        return
      }
      this.buffer[begin + i] = code
    }
    this.start = begin
  }

  delimited(write: () => void): void {
    const before = this.size
    write()
    this.varint(this.size - before)
  }

  get size(): number {
    return this.buffer.length - this.start
  }

  private reserve(bytes: number): void {
    if (this.start >= bytes) return
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.size + bytes))
    const start = grown.length - this.size
    grown.set(this.buffer.subarray(this.start), start)
    this.buffer = grown
    this.start = start
  }
}
