/**
 * Writes Warning headers. RFC 7234, section 5.5, with the limits of k8s.io/apiserver,
 * endpoints/filters/warning.go.
 */
const TOTAL_CHARACTERS = 4096
const TRUNCATED_CHARACTERS = 256

const CONTROL = /\p{Cc}/u

const NONE: string[] = []
const encoder = new TextEncoder()

/** As UTF-8 bytes. */
function headerText(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text
  let bytes = ''
  for (const byte of encoder.encode(text)) bytes += String.fromCharCode(byte)
  return bytes
}

export class Warnings {
  private readonly texts = new Set<string>()
  /** The total length if each text is truncated. */
  private cutCharacters = 0

  /** Texts that no longer fit are dropped, so a request cannot fill the memory. */
  add(text: string): void {
    if (text === '' || this.cutCharacters > TOTAL_CHARACTERS || this.texts.has(text)) return
    this.texts.add(text)
    if (!CONTROL.test(text)) this.cutCharacters += Math.min([...text].length, TRUNCATED_CHARACTERS)
  }

  /**
   * `299 - "text"`, without texts with control characters. Above the limit texts are truncated, and
   * dropped if they do not fit.
   */
  headers(): string[] {
    if (this.texts.size === 0) return NONE
    const sendable = [...this.texts].filter((text) => !CONTROL.test(text)).map((text) => [...text])
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
