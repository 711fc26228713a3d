/**
 * * Parses queries as Go's net/url does: the first of repeated names wins, `+` is a space,
 * malformed pairs are dropped.
 */
export class Query {
  private readonly pairs: [name: string, value: string][] = []

  constructor(text: string) {
    for (const part of text.split('&')) {
      if (part === '' || part.includes(';')) continue
      const equals = part.indexOf('=')
      const name = unescapeQuery(equals < 0 ? part : part.slice(0, equals))
      const value = unescapeQuery(equals < 0 ? '' : part.slice(equals + 1))
      if (name !== undefined && value !== undefined) this.pairs.push([name, value])
    }
  }

  get(name: string): string | undefined {
    for (const [key, value] of this.pairs) if (key === name) return value
    return undefined
  }

  all(name: string): string[] {
    return this.pairs.filter(([key]) => key === name).map(([, value]) => value)
  }

  has(name: string): boolean {
    return this.pairs.some(([key]) => key === name)
  }
}

export const isTrue = (value: string): boolean => value !== '0' && value.toLowerCase() !== 'false'

const EMPTY = new Query('')

function parseQuery(text: string): Query {
  return text === '' ? EMPTY : new Query(text)
}

export function queryOf(target: string): Query {
  const mark = target.indexOf('?')
  return parseQuery(mark < 0 ? '' : target.slice(mark + 1))
}

function unescapeQuery(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text
  return percentDecode(text.replaceAll('+', ' '))
}

/** Bytes that are not UTF-8 become U+FFFD. @returns undefined for a malformed escape */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    const bytes: number[] = []
    const encoded = new TextEncoder().encode(text)
    for (let i = 0; i < encoded.length; i++) {
      if (encoded[i] === 0x25) {
        bytes.push(
          Number.parseInt(String.fromCharCode(encoded[i + 1] ?? 0, encoded[i + 2] ?? 0), 16),
        )
        i += 2
      } else bytes.push(encoded[i] as number)
    }
    return new TextDecoder().decode(Uint8Array.from(bytes))
  }
}
