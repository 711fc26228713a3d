/** The Warning headers of one response (RFC 7234, section 5.5; limits recorded). */
const TOTAL_BYTES = 4096
const TRUNCATED_BYTES = 256

export class Warnings {
  private readonly texts: string[] = []

  /** Equal warnings are sent once; a text with control characters is dropped. */
  add(text: string): void {
    if (text === '' || this.texts.includes(text) || /[\p{Cc}]/u.test(text)) return
    this.texts.push(text)
  }

  /** `299 - "text"`: when all together grow too large each is cut, and then as many go as fit. */
  headers(): string[] {
    const total = this.texts.reduce((sum, text) => sum + text.length, 0)
    const texts = total > TOTAL_BYTES ? this.texts.map((text) => text.slice(0, TRUNCATED_BYTES)) : this.texts
    const headers: string[] = []
    let used = 0
    for (const text of texts) {
      const header = `299 - "${text.replace(/[\\"]/g, '\\$&')}"`
      used += text.length
      if (used > TOTAL_BYTES) break
      headers.push(header)
    }
    return headers
  }
}
