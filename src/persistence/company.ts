/**
 * Whether other engines have the same store open. Who opens it asks, who has it open answers; nobody who has spoken lately is
 * taken for gone without being asked again. Alone, an engine need not look at the store before it reads.
 */

const MARK = 'kubetab-company'

interface Word {
  mark: typeof MARK
  says: 'who is here?' | 'I am'
}

/** So long nobody who has spoken is asked again, in milliseconds. */
const TRUST = 10_000
/** So long an answer is waited for. Pages in the background are slow to speak. */
const LISTEN = 1_000

export class Company {
  private heard = Number.NEGATIVE_INFINITY
  private asked = Number.NEGATIVE_INFINITY

  /** @param say to all others @param now milliseconds from any start */
  constructor(
    private readonly say: (word: Word) => void,
    private readonly now: () => number,
  ) {}

  /** Makes itself known, and asks who else is here. */
  ask(): void {
    this.asked = this.now()
    this.say({ mark: MARK, says: 'who is here?' })
  }

  /** @param message anything that another engine said: it is here, then @returns whether that was all it said */
  hear(message: unknown): boolean {
    this.heard = this.now()
    if (!isWord(message)) return false
    if (message.says === 'who is here?') this.say({ mark: MARK, says: 'I am' })
    return true
  }

  alone(): boolean {
    if (this.heard === Number.NEGATIVE_INFINITY) return true
    const now = this.now()
    if (now - this.heard < TRUST) return false
    if (this.asked <= this.heard) this.ask()
    return now - this.asked > LISTEN
  }
}

function isWord(message: unknown): message is Word {
  return (
    typeof message === 'object' && message !== null && 'mark' in message && message.mark === MARK
  )
}
