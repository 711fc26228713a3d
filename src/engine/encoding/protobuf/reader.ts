/** The wire format: the encoding guide of Protocol Buffers. */
import { MOST_NESTED } from '../../schema/nesting'
import { WireType } from './writer'

export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
}

const LOW = 0x1_0000_0000
const MOST_VARINT_BYTES = 10
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export class ProtobufReader {
  private readonly view: DataView
  /** Lower and upper 32 bits of the last number. */
  private low = 0
  private high = 0

  constructor(
    private readonly source: Uint8Array,
    private position = 0,
    private readonly end = source.length,
    private readonly name = '',
    private readonly depth = 0,
  ) {
    this.view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  }

  get at(): number {
    return this.position
  }

  get done(): boolean {
    return this.position >= this.end
  }

  /** @throws ProtobufError */
  tag(): { number: number; wire: WireType } {
    const { number, wire } = this.anyTag()
    if (wire === WireType.EndGroup) throw this.misfit('wiretype end group for non-group')
    if (number <= 0)
      throw this.misfit(
        `illegal tag ${number} (wire type ${(BigInt(this.high >>> 0) << 32n) | BigInt(this.low >>> 0)})`,
      )
    return { number, wire }
  }

  /** Excess bits of the number are dropped, as in generated Go code. */
  private anyTag(): { number: number; wire: WireType } {
    this.readVarint()
    return { number: (this.low >>> 3) | (this.high << 29), wire: this.low & 7 }
  }

  /** Signed; imprecise beyond 53 bits. */
  varint(): number {
    this.readVarint()
    return this.high * LOW + (this.low >>> 0)
  }

  /** Signed. */
  int32(): number {
    this.readVarint()
    return this.low | 0
  }

  private readVarint(): void {
    this.low = 0
    this.high = 0
    for (let i = 0; i < MOST_VARINT_BYTES; i++) {
      if (this.position >= this.end) throw new ProtobufError('unexpected EOF')
      const byte = this.source[this.position++] as number
      const bits = byte & 0x7f
      if (i < 4) this.low |= bits << (7 * i)
      else if (i === 4) {
        this.low |= bits << 28
        this.high = bits >> 4
      } else this.high |= bits << (7 * i - 32)
      if (byte < 0x80) return
    }
    throw new ProtobufError('proto: integer overflow')
  }

  double(): number {
    const at = this.take(8)
    return this.view.getFloat64(at, true)
  }

  bytes(): Uint8Array {
    const length = this.length()
    const at = this.take(length)
    return this.source.subarray(at, at + length)
  }

  text(): string {
    return utf8.decode(this.bytes())
  }

  /** @throws ProtobufError if messages nest deeper than objects may */
  message(name = ''): ProtobufReader {
    if (this.depth >= MOST_NESTED)
      throw new ProtobufError(`proto: exceeded max depth of ${MOST_NESTED}`)
    const length = this.length()
    const at = this.take(length)
    return new ProtobufReader(this.source, at, at + length, name, this.depth + 1)
  }

  /**
   * As in generated Go code, parts may exceed the entry, and reading continues at its end.
   * @param visit returns false to skip a field
   */
  entry(visit: (number: number) => boolean): void {
    const length = this.length()
    const end = this.take(length) + length
    this.position = end - length
    while (this.position < end) {
      const { number, wire } = this.anyTag()
      if (visit(number)) continue
      this.skip(wire)
      if (this.position > end) throw new ProtobufError('unexpected EOF')
    }
    this.position = end
  }

  skip(wire: WireType): void {
    if (wire === WireType.Varint) this.varint()
    else if (wire === WireType.Fixed64) this.take(8)
    else if (wire === WireType.Delimited) this.bytes()
    else if (wire === WireType.Fixed32) this.take(4)
    else if (wire === WireType.StartGroup) this.skipGroup()
    else if (wire === WireType.EndGroup) throw new ProtobufError('proto: unexpected end of group')
    else throw new ProtobufError(`proto: illegal wireType ${wire}`)
  }

  /** Groups are deprecated, but may be nested. */
  private skipGroup(): void {
    for (let open = 1; open > 0; ) {
      const { wire } = this.anyTag()
      if (wire === WireType.StartGroup) open++
      else if (wire === WireType.EndGroup) open--
      else this.skip(wire)
    }
  }

  private misfit(why: string): ProtobufError {
    return new ProtobufError(this.name === '' ? `proto: ${why}` : `proto: ${this.name}: ${why}`)
  }

  private length(): number {
    const length = this.varint()
    if (length < 0) throw new ProtobufError('proto: negative length found during unmarshaling')
    return length
  }

  private take(bytes: number): number {
    const at = this.position
    if (at + bytes > this.end) throw new ProtobufError('unexpected EOF')
    this.position += bytes
    return at
  }
}
