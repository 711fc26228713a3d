/**
 * Reports repeated names, literals that lose precision, and Go's syntax errors. Used if the fast
 * path of json-reader.ts fails.
 */
import { type Json, type JsonObject, setMember } from '../core/object'
import { goQuote, goQuoteByte } from './go-text'
import { MOST_READ } from './nesting'

/** kube-apiserver's message: `invalid character '}' looking for beginning of value`. */
export class JsonSyntaxError extends Error {}

export interface DocumentDetails {
  /** All members in the order of the text; the object has the last value of each. */
  repeated: Map<JsonObject, [name: string, value: Json][]>
  /** Literals that do not print as written (`1e2`, `2.0`, beyond 2^53), by parent and key. */
  literals: Map<JsonObject | Json[], Map<string | number, string>>
}

export interface ParsedJson {
  value: Json
  /** `duplicate field "spec.replicas"` */
  duplicates: string[]
  details: DocumentDetails
}

/** @throws JsonSyntaxError */
export function parseJson(text: string, deepest = MOST_READ): ParsedJson {
  return new Parser(text, deepest).document()
}

/** In V8 spreading objects of many shapes is several times slower. */
export function shallowCopy(object: JsonObject): JsonObject {
  const copy: JsonObject = {}
  for (const name in object) setMember(copy, name, object[name] as Json)
  return copy
}

export function membersSorted(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(membersSorted)
  const sorted: JsonObject = {}
  for (const name of Object.keys(value).sort())
    setMember(sorted, name, membersSorted(value[name] as Json))
  return sorted
}

interface Frame {
  container: JsonObject | Json[]
  name: string
  /** All members, once a name has repeated. */
  members?: [string, Json][]
}

class Parser {
  private position = 0
  private readonly stack: Frame[] = []
  private readonly duplicates: string[] = []
  private readonly details: DocumentDetails = { repeated: new Map(), literals: new Map() }
  /** If the last number prints otherwise. */
  private literal: string | undefined

  constructor(
    private readonly text: string,
    private readonly deepest: number,
  ) {}

  document(): ParsedJson {
    let value = this.beginValue()
    for (;;) {
      // undefined: a container was opened.
      if (value !== undefined && this.stack.length === 0) break
      const frame = this.stack.at(-1)
      if (frame === undefined) break
      if (value !== undefined) this.add(frame, value)
      value = this.next(frame, value === undefined)
    }
    this.skipSpace()
    if (this.position < this.text.length) throw this.unexpected('after top-level value')
    return { value: value ?? null, duplicates: this.duplicates, details: this.details }
  }

  /** @returns the container at its end; undefined if another one begins */
  private next(frame: Frame, opened: boolean): Json | undefined {
    const isList = Array.isArray(frame.container)
    const close = isList ? 0x5d : 0x7d
    this.skipSpace()
    if (this.peek() === close) {
      this.position++
      this.stack.pop()
      return frame.container
    }
    if (!opened) {
      if (this.peek() !== 0x2c)
        throw this.unexpected(isList ? 'after array element' : 'after object key:value pair')
      this.position++
    }
    if (!isList) this.readName(frame)
    return this.beginValue()
  }

  private readName(frame: Frame): void {
    this.skipSpace()
    if (this.peek() !== 0x22) throw this.unexpected('looking for beginning of object key string')
    frame.name = this.string()
    this.skipSpace()
    if (this.peek() !== 0x3a) throw this.unexpected('after object key')
    this.position++
    const container = frame.container as JsonObject
    if (Object.hasOwn(container, frame.name)) {
      this.duplicates.push(`duplicate field ${goQuote(this.path())}`)
      frame.members ??= Object.entries(container)
      this.details.repeated.set(container, frame.members)
    }
  }

  private path(): string {
    let path = ''
    for (const { container, name } of this.stack) {
      path += Array.isArray(container) ? `[${container.length}]` : path === '' ? name : `.${name}`
    }
    return path
  }

  private add(frame: Frame, value: Json): void {
    const { container, name } = frame
    const place = Array.isArray(container) ? container.length : name
    if (this.literal !== undefined && typeof value === 'number')
      this.noteLiteral(container, place, this.literal)
    this.literal = undefined
    if (Array.isArray(container)) container.push(value)
    else {
      setMember(container, name, value)
      frame.members?.push([name, value])
    }
  }

  private noteLiteral(
    container: JsonObject | Json[],
    place: string | number,
    literal: string,
  ): void {
    const places = this.details.literals.get(container) ?? new Map<string | number, string>()
    places.set(place, literal)
    this.details.literals.set(container, places)
  }

  private beginValue(): Json | undefined {
    this.skipSpace()
    const code = this.peek()
    if (code === 0x22) return this.string()
    if (code === 0x7b || code === 0x5b) {
      if (this.stack.length >= this.deepest) throw this.unexpected('exceeded max depth')
      this.position++
      this.stack.push({ container: code === 0x7b ? {} : [], name: '' })
      return undefined
    }
    if (code === 0x2d || isDigit(code)) return this.number()
    if (code === 0x74) return this.word('true', true)
    if (code === 0x66) return this.word('false', false)
    if (code === 0x6e) return this.word('null', null)
    throw this.unexpected('looking for beginning of value')
  }

  private word<T extends Json>(word: string, value: T): T {
    for (let i = 0; i < word.length; i++, this.position++) {
      if (this.peekOrSpace() !== word.charCodeAt(i))
        throw this.unexpected(`in literal ${word} (expecting '${word[i]}')`)
    }
    return value
  }

  private string(): string {
    const start = this.position++
    for (;;) {
      const code = this.peek()
      if (code === 0x22) break
      if (code < 0x20) throw this.unexpected('in string literal')
      this.position++
      if (code === 0x5c) this.escape()
    }
    this.position++
    return withoutLoneSurrogates(JSON.parse(this.text.slice(start, this.position)) as string)
  }

  private escape(): void {
    const code = this.peekOrSpace()
    if (!'"\\/bfnrtu'.includes(String.fromCharCode(code)))
      throw this.unexpected('in string escape code')
    this.position++
    if (code !== 0x75) return
    for (let i = 0; i < 4; i++, this.position++) {
      if (!/[0-9a-fA-F]/.test(String.fromCharCode(this.peekOrSpace())))
        throw this.unexpected('in \\u hexadecimal character escape')
    }
  }

  private number(): number {
    const start = this.position
    if (this.peek() === 0x2d) this.position++
    if (this.peekOrEnd() === 0x30) this.position++
    else this.digits('in numeric literal')
    if (this.peekOrEnd() === 0x2e) {
      this.position++
      this.digits('after decimal point in numeric literal')
    }
    if ((this.peekOrEnd() | 0x20) === 0x65) {
      this.position++
      if (this.peekOrEnd() === 0x2b || this.peekOrEnd() === 0x2d) this.position++
      this.digits('in exponent of numeric literal')
    }
    const literal = this.text.slice(start, this.position)
    const value = Number(literal)
    if (String(value) !== literal) this.literal = literal
    return value
  }

  private digits(context: string): void {
    if (!isDigit(this.peekOrSpace())) throw this.unexpected(context)
    while (isDigit(this.peekOrEnd())) this.position++
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.peekOrEnd()
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.position++
    }
  }

  private peek(): number {
    if (this.position >= this.text.length) throw new JsonSyntaxError('unexpected end of JSON input')
    return this.text.charCodeAt(this.position)
  }

  private peekOrEnd(): number {
    return this.position < this.text.length ? this.text.charCodeAt(this.position) : -1
  }

  /** At the end kube-apiserver scans one more space, and may reject it. */
  private peekOrSpace(): number {
    return this.position < this.text.length ? this.text.charCodeAt(this.position) : 0x20
  }

  private unexpected(context: string): JsonSyntaxError {
    return new JsonSyntaxError(
      `invalid character ${goQuoteByte(firstByte(this.text.codePointAt(this.position) ?? 0x20))} ${context}`,
    )
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The first UTF-8 byte: kube-apiserver scans bytes. */
function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6)
  return codePoint < 0x10000 ? 0xe0 | (codePoint >> 12) : 0xf0 | (codePoint >> 18)
}

/** Replaces lone surrogates, which UTF-8 cannot encode. */
function withoutLoneSurrogates(text: string): string {
  return text.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd',
  )
}
