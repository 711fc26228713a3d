/** The text between two commands. */
export class Pipe implements AsyncIterable<string> {
  private readonly waiting: string[] = []
  private wake: (() => void) | undefined
  private ended = false
  private closed = false

  write(text: string): void {
    if (this.closed || text === '') return
    this.waiting.push(text)
    this.wake?.()
  }

  end(): void {
    this.ended = true
    this.wake?.()
  }

  /** The reader has ended: drops further output. */
  close(): void {
    this.closed = true
    this.waiting.length = 0
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const text = this.waiting.splice(0).join('')
      if (text !== '') yield text
      else if (this.ended) return
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
    }
  }
}

export async function* singleText(text: string): AsyncGenerator<string> {
  yield text
}

/** Lines without their line breaks, as they arrive. */
export async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of input) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

export async function wholeText(input: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of input) text += part
  return text
}
