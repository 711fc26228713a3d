/** The Warning headers of one response (RFC 7234, section 5.5; limits recorded). */
const TOTAL_CHARACTERS = 4096
const TRUNCATED_CHARACTERS = 256

const NONE: string[] = []
const encoder = new TextEncoder()

/** Characters beyond ASCII go into a header as the bytes of their UTF-8. */
function headerText(text: string): string {
  return /[\u0080-\uffff]/.test(text) ? String.fromCharCode(...encoder.encode(text)) : text
}

export class Warnings {
  private readonly texts = new Set<string>()

  /** Equal warnings are sent once. */
  add(text: string): void {
    if (text !== '') this.texts.add(text)
  }

  /** `299 - "text"`: when all together grow too large each is cut, and then as many go as fit. Texts with control characters are dropped. */
  headers(): string[] {
    if (this.texts.size === 0) return NONE
    const sendable = [...this.texts]
      .filter((text) => !/\p{Cc}/u.test(text))
      .map((text) => [...text])
    const total = sendable.reduce((sum, characters) => sum + characters.length, 0)
    const cut =
      total > TOTAL_CHARACTERS
        ? sendable.map((characters) => characters.slice(0, TRUNCATED_CHARACTERS))
        : sendable
    const headers: string[] = []
    let written = 0
    for (const characters of cut) {
      if (written >= TOTAL_CHARACTERS) break
      written += characters.length
      headers.push(`299 - "${headerText(characters.join('').replace(/[\\"]/g, '\\$&'))}"`)
    }
    return headers
  }
}
